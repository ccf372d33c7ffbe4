// The frame: 64 LEDs over the squares of the market, a clear sheet over them, the board under them.
//
// Four corners stand around the board and carry eight bars from west to east; in each bar lie eight
// LEDs at the pitch of the squares. The clear sheet lies on the bars, and the game is played on it.
// part: "assembly", or what is printed: "corner_nw", "corner_ne", "corner_se", "corner_sw",
// "bar_west" and "bar_east" (eight of each).

include <parameters.scad>

part = "assembly";

rail = (leds - 1) * led_spacing;        // from the first LED to the last
bar_width = strip_width + wire_room + 2 * bar_wall;
bar_height = floor_thickness + strip_thickness;
inner = board_size + 2 * tolerance;
outer = inner + 2 * frame_wall;
height = board_thickness + bar_height + cover_thickness + tolerance;
first = [market_margin + led_at[0] * square_pitch, market_margin + led_at[1] * square_pitch];
split = first[0] + (leds / 2 - 0.5) * led_spacing;  // between the fourth LED and the fifth

assert(strip_piece < led_spacing, "an LED's piece of strip is longer than a square");
assert(bar_width < square_pitch, "the bars are wider than a square");
assert(max(first) + rail + strip_piece / 2 < board_size,
    "the rail is not on the board: measure market_margin and board_size again");
assert(outer / 2 + joint / 2 < bed, "a corner is larger than the printer");
assert(max(split, board_size - split) + joint / 2 < bed, "a bar is longer than the printer");

function led(column, row) = [first[0] + column * led_spacing, first[1] + row * led_spacing];

// North is up in the drawing, so rows go down.
module at_north_west() { translate([0, board_size, 0]) mirror([0, 1, 0]) children(); }

// --- Bars ---

// The strip lies in the southern part; what is over it stays open, so that nothing dims the light.
module bar() {
    difference() {
        translate([tolerance, -bar_width / 2, 0])
            cube([board_size - 2 * tolerance, bar_width, bar_height]);
        translate([-1, -bar_width / 2 + bar_wall, floor_thickness])
            cube([board_size + 2, strip_width + wire_room, bar_height]);
        translate([-1, -bar_width, floor_thickness]) cube([bus_room + 1, 2 * bar_width, bar_height]);
    }
    // Two pegs hold each LED's piece where it belongs, and keep the wires beside it.
    for (column = [0 : leds - 1], side = [-1, 1])
        translate([led(column, 0)[0] + side * (strip_piece / 2 + 1), bar_width / 2 - bar_wall - strip_width - 1, 0])
            cylinder(d = 1.6, h = bar_height, $fn = 8);
}

// Halves lie over each other at the split: the western one below.
module bar_half(is_west) {
    difference() {
        bar();
        translate([is_west ? split + joint / 2 : -1, -bar_width, -1])
            cube([is_west ? board_size : split - joint / 2 + 1, 2 * bar_width, bar_height + 2]);
        translate([split - joint / 2 - tolerance, -bar_width, is_west ? floor_thickness / 2 : -1])
            cube([joint + 2 * tolerance, 2 * bar_width, is_west ? bar_height : 1 + floor_thickness / 2]);
    }
}

// --- Corners ---

module ring() {
    difference() {
        translate([-frame_wall - tolerance, -frame_wall - tolerance, 0]) cube([outer, outer, height + frame_wall]);
        translate([-tolerance, -tolerance, -1]) cube([inner, inner, height + 1]);
        translate([lip, lip, -1]) cube([board_size - 2 * lip, board_size - 2 * lip, height + frame_wall + 2]);
        // The cable leaves in the north-west, where the chain begins.
        translate([-frame_wall - 1, led(0, 0)[1] - cable_hole / 2, board_thickness])
            cube([frame_wall + 2, cable_hole, bar_height]);
    }
    for (row = [0 : leds - 1], side = [-1, 1]) tabs(led(0, row)[1] + side * (bar_width / 2 + tolerance + 1.5));
}

// Beside the bars, as low as their floor: they keep the pitch and let wires pass.
module tabs(y) {
    for (x = [-tolerance - 0.01, board_size - 6])
        translate([x, y - 1.5, board_thickness]) cube([6 + tolerance + 0.02, 3, floor_thickness]);
}

// A quarter of the ring; neighbours are held together by a tongue in a groove.
module corner(is_east, is_south) {
    middle = board_size / 2;
    x = is_east ? middle : -outer;
    y = is_south ? middle : -outer;
    difference() {
        intersection() {
            ring();
            translate([x, y, -1]) cube([outer + (is_east ? outer : middle), outer + (is_south ? outer : middle), height + frame_wall + 2]);
        }
        if (is_east) grooves(0);
        if (is_south) grooves(1);
    }
    if (!is_east) tongue(0, is_south);
    if (!is_south) tongue(1, is_east);
}

// Along x (0) or y (1), through the frame_wall's foot at the middle of a side.
module along(axis, is_far) {
    at = is_far ? board_size + tolerance + frame_wall / 2 : -tolerance - frame_wall / 2;
    translate(axis == 0 ? [board_size / 2, at, 0] : [at, board_size / 2, 0])
        rotate(axis == 0 ? 0 : 90) children();
}

module tongue(axis, is_far) {
    along(axis, is_far) translate([-0.01, -frame_wall / 6, 0]) cube([joint / 2, frame_wall / 3, height - tolerance]);
}

module grooves(axis) {
    for (is_far = [false, true])
        along(axis, is_far) translate([-1, -frame_wall / 6 - tolerance, -1])
            cube([joint / 2 + 1 + tolerance, frame_wall / 3 + 2 * tolerance, height + 1]);
}

// --- What is drawn ---

module market() {
    color("#d9b779") translate([0, 0, 0]) cube([board_size, board_size, board_thickness]);
    color("#8c6d3b") for (n = [0 : 7]) {
        translate([market_margin + n * square_pitch - 0.5, market_margin, board_thickness])
            cube([1, 7 * square_pitch, 0.2]);
        translate([market_margin, market_margin + n * square_pitch - 0.5, board_thickness])
            cube([7 * square_pitch, 1, 0.2]);
    }
}

module assembly() {
    market();
    for (row = [0 : leds - 1]) translate([0, led(0, row)[1], board_thickness]) {
        color("#3b4754") bar_half(true);
        color("#4d5b6a") bar_half(false);
        for (column = [0 : leds - 1])
            color(row == 0 && column == 0 ? "red" : row == leds - 1 || column == leds - 1 ? "orange" : "white")
                translate([led(column, 0)[0] - 2.5, bar_width / 2 - bar_wall - strip_width / 2 - 2.5, floor_thickness])
                    cube([5, 5, strip_thickness + 0.4]);
    }
    for (is_east = [false, true], is_south = [false, true])
        color(is_east != is_south ? "#2f7d6d" : "#38917f") corner(is_east, is_south);
}

$fn = roundness;
if (part == "assembly") at_north_west() assembly();
else if (part == "corner_nw") at_north_west() corner(false, false);
else if (part == "corner_ne") at_north_west() corner(true, false);
else if (part == "corner_se") at_north_west() corner(true, true);
else if (part == "corner_sw") at_north_west() corner(false, true);
else if (part == "bar_west") bar_half(true);
else if (part == "bar_east") bar_half(false);
else assert(part == "none", str("no part is called ", part));   // none: for a file that includes this one
