// The box of the six buttons, which stands beside the board: four directions in a cross, OK and BACK.
// The console has a MAX7219 module in a window beside them, and may have four keys for the die.
// part: "assembly", "back" (the panel from behind), "panel" (printed face down), "tray" or "clamp".

include <box.scad>

part = "assembly";
has_matrix = true;
has_die_keys = true;
has_power_button = false;                   // a hole in the northern wall, away from the hands

gap = 9;                                    // between what is on the panel
cross = 2 * button_pitch + button_hole;     // the directions
keys = 3 * button_pitch + button_hole;      // 1 to 4
window = has_matrix ? max(module_size[0], module_board[0]) + gap : 0;
lower = has_die_keys ? button_hole + gap : 0;

size = [
    2 * (wall + post + gap) + max(window + cross + gap + button_hole, has_die_keys ? keys : 0),
    2 * (wall + gap) + cross + lower
];
height = button_depth + wall;

west = wall + post + gap;
middle = wall + gap + lower + cross / 2;
cross_at = [west + window + cross / 2, middle];
acts_at = [cross_at[0] + cross / 2 + gap + button_hole / 2, middle];
window_at = [west + (window - gap) / 2, middle];
power_at = cross_at[0] + 1.2 * button_pitch;
// The clamp is screwed to two posts north and south of the module, where its board ends. The block of
// LEDs is in the panel up to its lip.
module_at = concat(window_at, [panel_thickness - module_lip]);  // the middle of the face of its LEDs
clamp_posts = [for (side = [1, -1]) window_at + [0, side * (module_board[1] / 2 + 2 * tolerance + post / 2)]];
clamp_post = module_depth - (panel_thickness - module_lip) - clamp_press;
keys_at = [size[0] / 2 - (keys - button_hole) / 2, wall + gap + button_hole / 2];

directions = [for (angle = [0, 90, 180, 270]) cross_at + button_pitch * [sin(angle), cos(angle)]];
acts = [for (side = [1, -1]) acts_at + [0, side * button_pitch / 2]];   // OK, BACK
die_keys = [for (key = [0 : 3]) keys_at + [key * button_pitch, 0]];
buttons = concat(directions, acts, has_die_keys ? die_keys : []);

assert(button_pitch > button_hole + 4, "the buttons touch each other");
assert(!has_matrix || clamp_post + wall + 3 < button_depth, "the module is too deep for the box");
assert(max(size) < bed, "the box is larger than the printer");

module window() {
    if (has_matrix) translate(window_at) square(module_size, center = true);
}

// Which is which, to be felt: a triangle towards each direction, two bars for OK, one for BACK, dots
// for the keys, and a square at the corner of the first LED, in the north-west.
module marks() {
    for (angle = [0, 90, 180, 270]) translate(cross_at) rotate(angle)
        translate([button_pitch - button_hole / 2 - 4.5, 0]) circle(d = 5, $fn = 3);
    for (x = [-2, 2]) translate(acts[0] + [x, button_hole / 2 + 5]) square([1.5, 4], center = true);
    translate(acts[1] - [0, button_hole / 2 + 5]) square([1.5, 4], center = true);
    if (has_die_keys) for (key = [0 : 3]) translate(die_keys[key] + [0, button_hole / 2 + 3.5]) dots(key + 1);
    if (has_matrix) translate(window_at + [-module_size[0] / 2 - 2.5, module_size[1] / 2 + 2.5])
        square(3, center = true);
}

module button_panel() {
    panel(size) {
        union() {
            at(buttons) circle(d = button_hole);
            window();
        }
        marks();
    }
    if (has_matrix) module_holder();
}

// Behind the window: lips at its corners, so that the block of LEDs does not fall out, a collar around
// the block, and the posts of the clamp.
module module_holder() {
    translate([0, 0, panel_thickness - module_lip]) linear_extrude(module_lip, convexity = 4)
        translate(window_at) for (x = [-1, 1], y = [-1, 1]) scale([x, y])
            polygon([for (corner = [[0.1, 0.1], [-module_corner, 0.1], [-module_corner, 0], [0, -module_corner], [0.1, -module_corner]])
                module_size / 2 + corner]);
    translate([0, 0, -module_collar]) linear_extrude(module_collar + 0.01, convexity = 4) difference() {
        translate(window_at) square(module_size + [wall, wall], center = true);
        window();
    }
    translate([0, 0, -clamp_post]) linear_extrude(clamp_post + 0.01, convexity = 4) difference() {
        at(clamp_posts) circle(d = post);
        at(clamp_posts) circle(d = screw_hole);
    }
}

// A bar over the back of the module.
module clamp() {
    translate([0, 0, -wall]) linear_extrude(wall, convexity = 4) difference() {
        hull() at(clamp_posts) square([clamp_width, post], center = true);
        at(clamp_posts) circle(d = screw_pass);
    }
}

// The bundle of wires to the Pi goes through the northern wall.
module button_tray() {
    difference() {
        tray(size, height);
        through_the_north(size[0] / 2, cable_hole);
        if (has_power_button) through_the_north(power_at, button_hole);
    }
}

module through_the_north(x, hole) {
    translate([x, size[1] + 1, height / 2]) rotate([90, 0, 0]) cylinder(d = hole, h = wall + 2);
}

module assembly() {
    color("#3b4754") button_tray();
    color("#e8e2d2") translate([0, 0, height]) button_panel();
    color("#40352b") translate([0, 0, height + panel_thickness - 0.5]) linear_extrude(0.52) marks();
    color("#b03a2e") translate([0, 0, height + panel_thickness]) at(buttons)
        cylinder(d = button_hole - 2, h = 3);
    if (has_matrix) translate([window_at[0], window_at[1], height]) {
        color("#20262c") linear_extrude(1) square(module_size, center = true);
        for (x = [0 : 7], y = [0 : 7]) color(x == 0 && y == 7 ? "red" : "#7d8790")
            translate([(x - 3.5) * module_size[0] / 8, (y - 3.5) * module_size[1] / 8, 1])
                cylinder(d = 3, h = 0.6, $fn = 10);
    }
}

// The panel from behind, with the module and its clamp.
module back() {
    rotate([180, 0, 0]) {
        color("#e8e2d2") button_panel();
        if (has_matrix) {
            translate(module_at - [0, 0, module_depth]) {
                color("#1f5c8b") linear_extrude(2) square(module_board, center = true);
                color("#20262c") translate([0, 0, 1]) linear_extrude(module_depth - 1) square(module_size - [1, 1], center = true);
            }
            color("#3b4754") translate([0, 0, -clamp_post]) clamp();
        }
        color("#b03a2e") translate([0, 0, -button_depth + 6]) at(buttons) cylinder(d = button_hole, h = button_depth - 6);
    }
}

$fn = roundness;
if (part == "assembly") assembly();
else if (part == "panel") panel_face_down(size) button_panel();
else if (part == "tray") button_tray();
else if (part == "back") back();
else if (part == "clamp") translate([0, 0, wall]) clamp();
else assert(part == "none", str("no part is called ", part));   // none: for a file that includes this one
