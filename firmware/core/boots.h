/* The count of starts, kept in EEPROM. Opening the port starts most Arduinos, and a cell lasts for
 * 100 000 writings: so the count goes round over 32 slots, and a slot that was cut short by a loss of
 * power, or is worn out, is seen and passed over. */
#ifndef BOOTS_H
#define BOOTS_H

#include <stdint.h>

enum {
    BOOTS_SLOTS = 32,
};

/* A count and its complement; erased EEPROM (all ones) is no count. */
typedef struct {
    uint16_t count;
    uint16_t complement;
} boots_slot_t;

typedef struct {
    uint8_t slot;   /* where this start's count is to be written */
    uint16_t count; /* of this start */
} boots_t;

boots_slot_t boots_slot(uint16_t count);

/* This start's count and slot, from what the EEPROM holds. */
boots_t boots_next(const boots_slot_t slots[BOOTS_SLOTS]);

#endif
