/* What the pad keeps in its EEPROM: its own id, and the count of its starts. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

#include "../core/pad.h"

/* Counts this start. `fresh` becomes the board id if the pad has none yet. */
void memory_load(pad_identity_t *identity, uint32_t fresh);

#endif
