// The die pad: keys 1 to 4 in a row, ROLL beside them, an LED over it, a Nano behind them.
// part: "assembly", "inside", "panel" (printed face down) or "tray".

include <box.scad>

part = "assembly";

gap = 8;
keys = 3 * button_pitch;                        // from the first to the last
roll = keys + 1.3 * button_pitch;               // from the first to ROLL
keys_at = [wall + post + gap + button_hole / 2 - 2, wall + 1 + button_nut / 2];
roll_at = keys_at + [roll, 0];
lamp_at = roll_at + [0, button_hole / 2 + gap];
die_keys = [for (key = [0 : 3]) keys_at + [key * button_pitch, 0]];

// The Nano lies behind the keys, not under them, with its USB socket in the western wall.
nano_half = nano_size[1] / 2 + tolerance;
// nano_at is the middle of its western edge, at the underside of its board.
nano_at = [wall + tolerance, keys_at[1] + button_nut / 2 + 1 + wall + nano_half, wall + nano_below];
nano_east = nano_at[0] + nano_size[0];
nano_top = nano_at[2] + nano_board;
usb_at = nano_top + nano_socket / 2;            // the middle of the socket

size = [
    2 * (wall + post + gap / 2) + roll + button_hole + gap,
    nano_at[1] + nano_half + tolerance + post_room()
];
height = max(wall + button_depth, usb_at + usb_plug[1] / 2 + rim + 0.5);

assert(max(size) < bed, "the pad is larger than the printer");
assert(nano_size[0] + post < size[0] - 2 * wall, "the Nano is too long for the pad");
assert(usb_plug[0] / 2 < nano_half, "the plug is wider than the Nano");

module marks() {
    for (key = [0 : 3]) translate(die_keys[key] + [0, button_hole / 2 + 4]) dots(key + 1);
    translate(roll_at) difference() {
        circle(d = button_hole + 6);
        circle(d = button_hole + 4);
    }
}

// Three pegs end just above the Nano: on its USB socket, and on its corners in the east.
module pegs() {
    peg(nano_top + nano_socket, nano_at + [5, 0, 0], [4, 4]);
    for (side = [-1, 1])
        peg(nano_top, [nano_east - nano_end / 2, nano_at[1] + side * (nano_half - 2.5)], [nano_end, 4]);
}

module peg(above, at, size) {
    deep = height - above - tolerance;
    translate([at[0] - size[0] / 2, at[1] - size[1] / 2, -deep]) cube([size[0], size[1], deep + 0.01]);
}

module pad_panel() {
    panel(size) {
        union() {
            at(concat(die_keys, [roll_at])) circle(d = button_hole);
            translate(lamp_at) circle(d = led_hole);
        }
        marks();
    }
    pegs();
}

// The Nano rests on four corners, since headers leave nothing else of its edges. Walls around the
// corners keep it in its place.
module rests() {
    for (side = [0, 1]) translate([0, nano_at[1], 0]) mirror([0, side, 0]) {
        for (x = [nano_at[0] - tolerance, nano_east - nano_end])
            translate([x, nano_half - 5, 0]) cube([nano_end + tolerance, 5 + wall, nano_below]);
        for (x = [nano_at[0] - tolerance, nano_east - 6])
            translate([x, nano_half, 0]) cube([6 + tolerance, wall, nano_below + nano_board]);
    }
    translate([nano_east + tolerance, nano_at[1] - nano_half - wall, 0])
        cube([wall, 2 * (nano_half + wall), nano_below + nano_board]);
}

module pad_tray() {
    difference() {
        tray(size, height) rests();
        translate([-1, nano_at[1] - usb_plug[0] / 2, usb_at - usb_plug[1] / 2])
            cube([wall + 1.01, usb_plug[0], usb_plug[1]]);
    }
}

module assembly() {
    color("#3b4754") pad_tray();
    color("#e8e2d2") translate([0, 0, height]) pad_panel();
    color("#40352b") translate([0, 0, height + panel_thickness - 0.5]) linear_extrude(0.52) marks();
    translate([0, 0, height + panel_thickness]) {
        color("#b03a2e") at(die_keys) cylinder(d = button_hole - 2, h = 3);
        color("#e0b030") translate(roll_at) cylinder(d = button_hole - 2, h = 3);
        color("#ff6b5e") translate(lamp_at) sphere(d = led_hole);
    }
}

// The tray with a Nano in it, and without its panel.
module inside() {
    color("#3b4754") pad_tray();
    translate(nano_at) {
        color("#1f5c8b") translate([0, -nano_size[1] / 2, 0]) cube([nano_size[0], nano_size[1], nano_board]);
        color("#c9ced3") translate([-1.3, -3.85, nano_board]) cube([9.2, 7.7, nano_socket]);
        color("#20262c") for (side = [-1, 1]) translate([2.7, side * 7.62 - 1.25, -2.5]) cube([38.1, 2.5, 2.5]);
        color("#e0b030") for (pin = [0 : 14], side = [-1, 1])
            translate([3.97 + pin * 2.54, side * 7.62, -8.5]) cylinder(d = 0.7, h = 10.8, $fn = 8);
        color("#39424d") translate([20, 0, nano_board + 0.5]) rotate(45) cube([7, 7, 1], center = true);
    }
}

$fn = roundness;
if (part == "assembly") assembly();
else if (part == "inside") inside();
else if (part == "panel") panel_face_down(size) pad_panel();
else if (part == "tray") pad_tray();
else assert(part == "none", str("no part is called ", part));   // none: for a file that includes this one
