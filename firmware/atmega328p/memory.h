/* The data in EEPROM: the board id and the boot counter. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

#include "../core/pad.h"

/* Counts this boot. `fresh` becomes the board id if the pad has none yet. */
void memory_load(pad_identity_t *identity, uint32_t fresh);

#endif
