#include "debounce.h"

#include <string.h>

void debounce_init(debounce_t *debounce)
{
    memset(debounce, 0, sizeof *debounce);
}

uint8_t debounce_read(debounce_t *debounce, uint8_t contacts, uint32_t now_ms)
{
    uint8_t pressed = 0;
    for (uint8_t key = 0; key < DEBOUNCE_KEYS; key++) {
        const uint8_t bit = (uint8_t)(1u << key);
        if ((contacts ^ debounce->seen) & bit) {
            debounce->seen ^= bit;
            debounce->since_ms[key] = now_ms;
        } else if (((debounce->seen ^ debounce->stable) & bit) &&
                   now_ms - debounce->since_ms[key] >= DEBOUNCE_MS) {
            debounce->stable ^= bit;
            pressed |= debounce->stable & bit;
        }
    }
    return pressed;
}
