/* The pad's one LED, PROTOCOL.md "The LED": a flash goes before a lost link, that before the mode. */
#ifndef LED_H
#define LED_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LED_DARK = 0,  /* modes */
    LED_WANTED = 1,

    LED_ACCEPTED = 1, /* flashes */
    LED_REFUSED = 2,

    LED_HALF_BLINK_MS = 500,
    LED_ACCEPTED_MS = 400,
    LED_REFUSED_MS = 80, /* on, off, on, off, on */
    LED_LOST_MS = 50,
    LED_LOST_PERIOD_MS = 2000,
};

typedef struct {
    uint8_t mode;
    uint8_t flash; /* 0: none is shown */
    bool is_lost;
    uint32_t blink_ms; /* when the blink of the mode, or of the lost link, last began */
    uint32_t flash_ms;
} led_t;

void led_init(led_t *led);

/* What the table waits for. An unknown mode is dark. */
void led_mode(led_t *led, uint8_t mode, uint32_t now_ms);

/* Shows how a key was taken. An unknown flash shows nothing. */
void led_flash(led_t *led, uint8_t flash, uint32_t now_ms);

/* Whether nothing is heard any more. */
void led_lost(led_t *led, bool is_lost, uint32_t now_ms);

/* Call it every millisecond: it also moves the blink on, so that the clock may wrap. */
bool led_is_lit(led_t *led, uint32_t now_ms);

#endif
