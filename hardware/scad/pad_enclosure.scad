// The die pad: keys 1 to 4 in a row, ROLL beside them, an LED over it, a Nano inside.
// part: "assembly", "panel" (printed face down) or "tray".

include <box.scad>

part = "assembly";

gap = 8;
keys = 3 * button_pitch;                        // from the first to the last
roll = keys + 1.3 * button_pitch;               // from the first to ROLL
size = [
    2 * (wall + post + gap / 2) + roll + button_hole + gap,
    2 * wall + max(nano_size[1] + 2 * gap, button_hole + 2 * led_hole + 2 * gap) + gap
];
height = wall + nano_height + 3 + button_depth;

keys_at = [wall + post + gap + button_hole / 2 - 2, size[1] / 2 - gap / 2];
roll_at = keys_at + [roll, 0];
lamp_at = roll_at + [0, button_hole / 2 + gap];
die_keys = [for (key = [0 : 3]) keys_at + [key * button_pitch, 0]];

// The Nano lies on its rails, its socket in the western wall.
nano_at = [wall + 0.4, size[1] / 2];
ledge = 2;

assert(max(size) < bed, "the pad is larger than the printer");
assert(nano_size[0] + post < size[0] - 2 * wall, "the Nano is too long for the pad");
assert(nano_size[1] + 2 * (wall + tolerance) < size[1] - 2 * (wall + post), "the Nano lies in the posts");

module marks() {
    for (key = [0 : 3]) translate(die_keys[key] + [0, button_hole / 2 + 4]) dots(key + 1);
    translate(roll_at) difference() {
        circle(d = button_hole + 6);
        circle(d = button_hole + 4);
    }
}

module pad_panel() {
    panel(size) {
        union() {
            at(concat(die_keys, [roll_at])) circle(d = button_hole);
            translate(lamp_at) circle(d = led_hole);
        }
        marks();
    }
}

// Two rails with a ledge each, and a stop behind.
module rails() {
    half = nano_size[1] / 2 + tolerance;
    for (side = [0, 1]) translate([nano_at[0] - 0.5, nano_at[1], 0]) mirror([0, side, 0]) {
        translate([0, half, 0]) cube([nano_size[0] + wall, wall, ledge + 4]);
        translate([0, half - 1, 0]) cube([nano_size[0] + wall, wall, ledge]);
    }
    translate([nano_at[0] + nano_size[0] + tolerance, nano_at[1] - half - 1, 0])
        cube([wall, 2 * half + 2, ledge + 4]);
}

module pad_tray() {
    difference() {
        tray(size, height) rails();
        translate([-1, nano_at[1] - usb_size[0] / 2, wall + ledge + 1])
            cube([wall + 3, usb_size[0], usb_size[1]]);
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

$fn = roundness;
if (part == "assembly") assembly();
else if (part == "panel") panel_face_down(size) pad_panel();
else if (part == "tray") pad_tray();
else assert(false, str("no part is called ", part));
