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
button_depth = 24;      // behind the panel, with its wires
led_hole = 5.2;         // an LED of 5 mm
screw_hole = 2.6;       // M3 cuts its own thread in plastic
screw_pass = 3.4;       // M3 passes through
screw_head = 6.2;
cable_hole = 8;         // a bundle of wires

// --- The MAX7219 module ---
module_size = [32.6, 32.6]; // its LEDs, which show in a window
module_board = [52, 33];    // its board behind the panel

// --- The Nano ---
nano_size = [43.6, 18.2];
nano_height = 8;
usb_size = [9, 5];      // the socket, and its plug's collar beside it
