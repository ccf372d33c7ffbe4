/* The firmware version, sent in IDENTITY. `pad-MAJOR.MINOR.PATCH.hex` is the released image. */
#ifndef VERSION_H
#define VERSION_H

#define VERSION_MAJOR 1
#define VERSION_MINOR 0
#define VERSION_PATCH 0

#endif
