// Every measure of the printed parts, in millimetres. Measure your own board and parts, and change
// them here: nothing is measured anywhere else.

// --- The game's board: measure yours, editions differ ---
square_pitch = 38;      // from the middle of a square to the middle of the next
board_size = 334;       // the whole board, which is square
board_thickness = 2.4;
market_margin = 34;     // from the board's western and northern edge to the first square

// --- The LEDs of the frame ---
leds = 8;               // in a row, and rows: the market's seven and the rail
led_spacing = square_pitch; // of the mounted LEDs
led_at = [0.5, 0.5];    // where in its square an LED sits, from the north-west: 0 to 1
strip_width = 10.5;     // of the strip that is cut into single LEDs, with play
strip_piece = 17;       // length of one LED with its solder pads (a strip of 60 a metre)
strip_thickness = 2.2;  // with LED and solder
wire_room = 3.2;        // beside the strip: data and clock of a row go back west here
bus_room = 9;           // at the western end of the bars: 5 V and ground go to every row here

// --- What lies over it ---
cover_thickness = 2;    // the clear sheet that the game is played on
lip = 3;                // how far the frame reaches over the sheet's edge

// --- Printing ---
wall = 2.4;
bar_wall = 1.2;         // beside the strips: narrow, so that the board is seen
frame_wall = 4;         // of the frame: it has tongues and grooves
floor_thickness = 0.8;  // under strips: thin, the frame lies on the board
tolerance = 0.25;       // on each side, of parts that go into each other
joint = 16;             // how long two halves of a bar lie over each other
bed = 220;              // the printer's: no part is longer
roundness = 24;         // sides of a circle: more is finer and slower

// --- Buttons, keys, screws ---
button_hole = 12.2;     // panel buttons of 12 mm, with play
button_pitch = 24;      // from one to the next
button_nut = 16;        // what is behind the panel: its nut and its body, across
button_depth = 24;      // behind the panel, with its wires
led_hole = 5.2;         // an LED of 5 mm
screw_hole = 2.6;       // M3 cuts its own thread in plastic
screw_pass = 3.4;       // M3 passes through
cable_hole = 8;         // a bundle of wires

// The moulded body of a USB plug goes through the wall, not only its metal. The largest are 12.4 x 6.5
// (USB-C), 10.6 x 8.5 (micro-USB) and 11 x 9 (mini-USB).
usb_plug = [13, 9.5];

// --- The MAX7219 module ---
module_size = [32.6, 32.6]; // its block of LEDs, 32 mm square, with play
module_board = [52, 33];    // its board behind the panel
module_depth = 15;      // from the face of its LEDs to the back of its board, with the solder joints
module_corner = 2.2;    // the panel stops the block at its corners; its first LED begins at 2.5
module_lip = 1;         // how thick the panel is there
module_collar = 3;      // how deep the wall around the block is
clamp_width = 12;       // of the bar that holds the module from behind
clamp_press = 0.4;      // how far the bar bends when it is screwed on

// --- The Nano: it lies with its pins down ---
nano_size = [43.6, 18.2];
nano_board = 1.6;       // how thick its board is
nano_below = 21;        // under its board: soldered headers, with jumper sockets on their pins
nano_end = 2.2;         // no header is soldered so close to the two ends of its board
nano_socket = 4;        // how high its USB socket is

// --- The Raspberry Pi: USB-A in the east, power in the south, its header in the north ---
pi_is_zero = false;     // true for a Zero 2 W
pi_size = pi_is_zero ? [65, 30] : [85, 56];
pi_holes = pi_is_zero ? [58, 23] : [58, 49];    // between its holes, for M2.5
pi_inset = 3.5;         // from its western and southern edge to the first hole
pi_board = 1.6;         // how thick its board is
pi_below = 5;           // under its board: solder joints and the card
pi_above = 24;          // over its board: jumper sockets on its header, and the bend of their wires
pi_west = 3;            // beside its board in the west, where the card sticks out
pi_east = 0.6;          // beside its board in the east, where the sockets stick out
pi_sockets = 17;        // how high USB-A and Ethernet are
pi_plugs = pi_is_zero ? [41.4, 54] : [11.2];    // its micro-USB or USB-C, from its western edge
pi_socket_middle = 1.6; // of micro-USB or USB-C, over the board
pi_card = pi_is_zero ? [9, 25] : [10, 36];      // its card, and a Pi 5's button, from its southern edge
pi_post = 6;
pi_screw_hole = 2.1;    // M2.5 cuts its own thread in plastic
breadboard = [84, 56];  // 400 points, for the shifter, with play; some are 65 wide
rib = 3;                // how high the ribs around it are
wire_slot = [30, 9];    // wires to buttons and matrix
