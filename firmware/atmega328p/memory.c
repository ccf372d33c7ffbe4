#include "memory.h"

#include <avr/eeprom.h>
#include <string.h>

#include "../core/boots.h"

/* Fixed addresses: a later firmware must find the data again. */
#define BOARD ((uint8_t *)0) /* the id and its complement */
#define BOOTS ((uint8_t *)16)

static void load_board(uint8_t board[PAD_BOARD_BYTES], uint32_t fresh)
{
    uint8_t kept[2 * PAD_BOARD_BYTES];
    eeprom_read_block(kept, BOARD, sizeof kept);
    for (uint8_t i = 0; i < PAD_BOARD_BYTES; i++) {
        if ((kept[i] ^ kept[PAD_BOARD_BYTES + i]) != 0xFF) {
            for (uint8_t byte = 0; byte < PAD_BOARD_BYTES; byte++) {
                kept[byte] = (uint8_t)(fresh >> (8 * byte));
                kept[PAD_BOARD_BYTES + byte] = (uint8_t)~kept[byte];
            }
            eeprom_update_block(kept, BOARD, sizeof kept);
            break;
        }
    }
    memcpy(board, kept, PAD_BOARD_BYTES);
}

static uint16_t count_boot(void)
{
    boots_slot_t slots[BOOTS_SLOTS];
    eeprom_read_block(slots, BOOTS, sizeof slots);
    boots_t boots = boots_next(slots);
    const boots_slot_t wanted = boots_slot(boots.count);
    for (uint8_t tries = 0; tries < BOOTS_SLOTS; tries++) {
        boots_slot_t kept;
        uint8_t *const at = BOOTS + boots.slot * sizeof kept;
        eeprom_update_block(&wanted, at, sizeof wanted);
        eeprom_read_block(&kept, at, sizeof kept);
        if (memcmp(&kept, &wanted, sizeof kept) == 0) {
            break; /* otherwise the slot is worn out */
        }
        boots.slot = (uint8_t)((boots.slot + 1) % BOOTS_SLOTS);
    }
    return boots.count;
}

void memory_load(pad_identity_t *identity, uint32_t fresh)
{
    load_board(identity->board, fresh);
    identity->boots = count_boot();
}
