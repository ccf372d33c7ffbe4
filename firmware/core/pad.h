/* The logic of the die pad, without hardware: bytes, contacts and time in, frames and the LED out.
 * See PROTOCOL.md. Times are in milliseconds from any start, and may wrap. */
#ifndef PAD_H
#define PAD_H

#include <stdbool.h>
#include <stdint.h>

#include "debounce.h"
#include "dice.h"
#include "frame.h"
#include "led.h"
#include "reports.h"

enum {
    PAD_VERSION = 1, /* of the protocol */
    PAD_CAPABILITIES = 0x07, /* keys 1 to 4, ROLL, an LED */
    PAD_ROLL = 5,
    PAD_BOARD_BYTES = 4,
    PAD_ALIVE_MS = 500,
    PAD_LOST_MS = 2000,
};

/* Sends a whole frame, or nothing if the buffer is full: important frames are repeated. */
typedef void (*pad_send_t)(const uint8_t *bytes, uint8_t count);

/* Constant while the pad runs. */
typedef struct {
    uint8_t board[PAD_BOARD_BYTES];
    uint16_t boots;
} pad_identity_t;

typedef struct {
    pad_send_t send;
    pad_identity_t identity;
    uint16_t session; /* 0: none */
    uint8_t sequence;
    uint8_t flash_count;
    uint32_t heard_ms;
    uint32_t alive_ms;
    frame_reader_t reader;
    debounce_t debounce;
    reports_t reports;
    led_t led;
    dice_t dice;
} pad_t;

void pad_init(pad_t *pad, pad_send_t send, const pad_identity_t *identity, uint32_t now_ms);

/* Adds entropy for the die. */
void pad_stir(pad_t *pad, uint32_t value);

/* Handles a received byte. */
void pad_receive(pad_t *pad, uint8_t byte, uint32_t now_ms);

/* Handles the contacts, bit 0 for key 1, bit 4 for ROLL. Call it every millisecond. */
void pad_keys(pad_t *pad, uint8_t contacts, uint32_t now_ms);

/* Handles timeouts. Call it every millisecond. */
void pad_tick(pad_t *pad, uint32_t now_ms);

/* Whether the LED is lit. Call it every millisecond. */
bool pad_led(pad_t *pad, uint32_t now_ms);

#endif
