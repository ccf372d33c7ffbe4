// The box of the Raspberry Pi and the level shifter: the Pi in the south, a breadboard in the north.
// The USB-A sockets go through the eastern wall, power through the southern wall, the card through the
// western wall, and the wires to buttons and matrix through the northern wall.
// part: "assembly", "panel" (printed face down) or "tray".

include <box.scad>

part = "assembly";

gap = 6;                                        // between the Pi and the breadboard

// pi_at is its south-western corner, at the underside of its board.
pi_at = [wall + pi_west, post_room() + 2 * tolerance, wall + pi_below];
pi_top = pi_at[2] + pi_board;
breadboard_at = [wall + tolerance + rib / 2, pi_at[1] + pi_size[1] + gap];
size = [
    max(pi_at[0] + pi_size[0] + pi_east, breadboard_at[0] + breadboard[0] + rib / 2 + tolerance) + wall,
    breadboard_at[1] + breadboard[1] + tolerance + post_room()
];
height = pi_top + pi_above;
posts = [for (x = [0, pi_holes[0]], y = [0, pi_holes[1]]) [pi_at[0] + pi_inset + x, pi_at[1] + pi_inset + y]];
sockets = [pi_at[1] + 1.5, pi_at[1] + pi_size[1] - 1];  // of USB-A and Ethernet, from south to north

assert(max(size) < bed, "the box is larger than the printer");
assert(pi_sockets < pi_above - rim, "the sockets are too high for the box");
assert(wire_slot[1] < pi_above, "the slot for the wires is too deep");

module pi_posts() {
    difference() {
        at(posts) cylinder(d = pi_post, h = pi_below + 0.01);
        at(posts) translate([0, 0, -1]) cylinder(d = pi_screw_hole, h = pi_below + 2);
    }
}

// Around the breadboard, which has tape on its back.
module ribs() {
    linear_extrude(rib, convexity = 4) translate(breadboard_at) difference() {
        translate([-rib / 2, -rib / 2]) square(breadboard + [rib, rib]);
        square(breadboard);
        translate([8, -rib]) square([breadboard[0] - 16, breadboard[1] + 2 * rib]);
        translate([-rib, 8]) square([breadboard[0] + 2 * rib, breadboard[1] - 16]);
    }
}

module openings() {
    for (x = pi_plugs)
        translate([pi_at[0] + x - usb_plug[0] / 2, -1, pi_top + pi_socket_middle - usb_plug[1] / 2])
            cube([usb_plug[0], wall + 2, usb_plug[1]]);
    translate([-1, pi_at[1] + pi_card[0], pi_at[2] - 3.5])
        cube([wall + 2, pi_card[1] - pi_card[0], pi_board + 7.5]);
    if (!pi_is_zero) translate([size[0] - wall - 1, sockets[0], pi_top - 1])
        cube([wall + 2, sockets[1] - sockets[0], height]);
    translate([(size[0] - wire_slot[0]) / 2, size[1] - wall - 1, height - wire_slot[1]])
        cube([wire_slot[0], wall + 2, wire_slot[1] + 1]);
}

module pi_tray() {
    difference() {
        tray(size, height) {
            pi_posts();
            ribs();
        }
        openings();
    }
}

// Warm air leaves over the Pi.
module vents() {
    slots = floor((pi_size[0] - 12) / 8);
    for (slot = [0 : slots - 1])
        translate([pi_at[0] + 8 + slot * 8, pi_at[1] + 8]) square([3, pi_size[1] - 16]);
}

// A flap closes the eastern wall above the sockets.
module flap() {
    deep = pi_above - pi_sockets;
    if (!pi_is_zero) translate([size[0] - wall, sockets[0] + tolerance, -deep])
        cube([wall - tolerance, sockets[1] - sockets[0] - 2 * tolerance, deep + 0.01]);
}

module pi_panel() {
    panel(size) {
        vents();
        union() { }
    }
    flap();
}

module assembly() {
    color("#3b4754") pi_tray();
    color("#e8e2d2") translate([-size[0] * 0.75, 0, height + 25]) pi_panel();
    translate(pi_at) {
        color("#1e6b3a") cube([pi_size[0], pi_size[1], pi_board]);
        color("#20262c") translate([7.1, pi_size[1] - 6, pi_board]) cube([50.8, 5, 2.5]);
        color("#e0b030") for (n = [0 : 19], row = [0, 2.54])
            translate([8.1 + n * 2.54, pi_size[1] - 5.1 + row, pi_board]) cube([0.64, 0.64, 8.5]);
        color("#c9ced3") for (x = pi_plugs) translate([x - 4.5, -1.2, pi_board]) cube([9, 7, 3.2]);
        if (!pi_is_zero) color("#c9ced3") for (y = [9, 27, 45.75])
            translate([pi_size[0] - 15, y - 7.5, pi_board]) cube([17.5, 15, y > 40 ? 13.5 : 16]);
    }
    translate([breadboard_at[0], breadboard_at[1], wall]) {
        color("#f2efe6") cube([breadboard[0] - 1, breadboard[1] - 1, 9]);
        color("#39424d") translate([30, breadboard[1] / 2 - 4, 9]) cube([19, 7, 4]);
    }
}

$fn = roundness;
if (part == "assembly") assembly();
else if (part == "panel") panel_face_down(size) pi_panel();
else if (part == "tray") pi_tray();
else assert(part == "none", str("no part is called ", part));   // none: for a file that includes this one
