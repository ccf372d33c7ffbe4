#include "boots.h"

#include <stdbool.h>

boots_slot_t boots_slot(uint16_t count)
{
    return (boots_slot_t){.count = count, .complement = (uint16_t)~count};
}

boots_t boots_next(const boots_slot_t slots[BOOTS_SLOTS])
{
    bool has_any = false;
    boots_t newest = {.slot = BOOTS_SLOTS - 1, .count = 0};
    for (uint8_t slot = 0; slot < BOOTS_SLOTS; slot++) {
        const uint16_t count = slots[slot].count;
        if ((slots[slot].complement ^ count) != 0xFFFF) {
            continue;
        }
        /* Counts differ by less than 0x8000, so the newest is known although they wrap. */
        if (!has_any || (uint16_t)(count - newest.count) < 0x8000u) {
            has_any = true;
            newest = (boots_t){.slot = slot, .count = count};
        }
    }
    return (boots_t){
        .slot = (uint8_t)((newest.slot + 1) % BOOTS_SLOTS),
        .count = (uint16_t)(newest.count + 1),
    };
}
