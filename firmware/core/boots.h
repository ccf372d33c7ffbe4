/* The boot counter in EEPROM. Opening the port resets most Arduinos, and an EEPROM cell lasts for
 * 100 000 writes. So the count is written to 32 slots in turn. Slots that are worn out, or half written
 * because power was lost, are detected and skipped. */
#ifndef BOOTS_H
#define BOOTS_H

#include <stdint.h>

enum {
    BOOTS_SLOTS = 32,
};

/* A count and its complement. Erased EEPROM (all ones) is not a valid count. */
typedef struct {
    uint16_t count;
    uint16_t complement;
} boots_slot_t;

typedef struct {
    uint8_t slot;   /* where to write the count of this boot */
    uint16_t count; /* of this boot */
} boots_t;

boots_slot_t boots_slot(uint16_t count);

/* The count and slot of this boot, from the contents of the EEPROM. */
boots_t boots_next(const boots_slot_t slots[BOOTS_SLOTS]);

#endif
