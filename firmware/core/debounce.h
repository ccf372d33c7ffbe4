/* Five contacts that bounce: a press is told once, when the contact has been still for 8 ms. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include <stdint.h>

enum {
    DEBOUNCE_KEYS = 5,
    DEBOUNCE_MS = 8,
};

typedef struct {
    uint8_t seen;   /* the contacts as they were last read; bit 0 is key 1 */
    uint8_t stable; /* as they are believed */
    uint32_t since_ms[DEBOUNCE_KEYS]; /* when `seen` last changed */
} debounce_t;

/* All contacts open. */
void debounce_init(debounce_t *debounce);

/* Takes the contacts (1 is closed) and returns the keys that are pressed now and were not before.
 * Call it every millisecond. Letting go is debounced alike and told to nobody. */
uint8_t debounce_read(debounce_t *debounce, uint8_t contacts, uint32_t now_ms);

#endif
