// A tray with four screw posts and the panel that closes it; all boxes are made of them. Whatever
// goes through the panel is a flat shape, since those are cut fast.

include <parameters.scad>

panel_thickness = wall;
mark_depth = 0.6;                               // of what can be felt on the panel
rim = 2;                                        // how deep the panel goes into the tray
post = screw_hole + 2 * wall;

function post_room() = wall + post - 1;         // from the outside: what a post takes of a corner
function post_places(size) = [
    for (x = [post_room() - post / 2, size[0] - post_room() + post / 2],
         y = [post_room() - post / 2, size[1] - post_room() + post / 2]) [x, y]];

module rounded(size, inset, r) {
    translate([inset, inset]) offset(r) offset(-r) square([size[0] - 2 * inset, size[1] - 2 * inset]);
}

module at(places) { for (place = places) translate(place) children(); }

// The first child is cut out, the second is engraved: it is printed face down.
module panel(size) {
    linear_extrude(panel_thickness - mark_depth, convexity = 10) face(size) children(0);
    translate([0, 0, panel_thickness - mark_depth - 0.01])
        linear_extrude(mark_depth + 0.01, convexity = 10) difference() {
            face(size) children(0);
            children(1);
        }
    translate([0, 0, -rim]) linear_extrude(rim + 0.01, convexity = 10) difference() {
        rounded(size, wall + tolerance, 2);
        rounded(size, 2 * wall, 2);
        at(post_places(size)) circle(d = post + 2 * tolerance);
    }
}

module face(size) {
    difference() {
        rounded(size, 0, 4);
        at(post_places(size)) circle(d = screw_pass);
        children();
    }
}

module panel_face_down(size) {
    translate([0, size[1], panel_thickness]) rotate([180, 0, 0]) children();
}

// The children stand on the floor.
module tray(size, height) {
    linear_extrude(wall, convexity = 10) rounded(size, 0, 4);
    translate([0, 0, wall - 0.01]) linear_extrude(height - wall + 0.01, convexity = 10) difference() {
        union() {
            difference() {
                rounded(size, 0, 4);
                rounded(size, wall, 2);
            }
            at(post_places(size)) circle(d = post);
        }
        at(post_places(size)) circle(d = screw_hole);
    }
    translate([0, 0, wall - 0.01]) children();
}

// What is felt on the panel: dots for a key of the die.
module dots(count) {
    for (dot = [0 : count - 1]) translate([(dot - (count - 1) / 2) * 3, 0]) circle(d = 2, $fn = 12);
}
