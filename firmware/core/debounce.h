/* Debouncing of five contacts: a press is reported once, when the contact has been stable for 8 ms. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include <stdint.h>

enum {
    DEBOUNCE_KEYS = 5,
    DEBOUNCE_MS = 8,
};

typedef struct {
    uint8_t seen;   /* the contacts as last read; bit 0 is key 1 */
    uint8_t stable; /* the debounced contacts */
    uint32_t since_ms[DEBOUNCE_KEYS]; /* when `seen` last changed */
} debounce_t;

/* All contacts open. */
void debounce_init(debounce_t *debounce);

/* Takes the contacts (1 is closed) and returns the newly pressed keys. Call it every millisecond.
 * Releases are debounced too, but not returned. */
uint8_t debounce_read(debounce_t *debounce, uint8_t contacts, uint32_t now_ms);

#endif
