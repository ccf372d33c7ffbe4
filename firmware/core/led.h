/* The LED (PROTOCOL.md, "The LED"): a flash has priority over a lost link, that over the mode. */
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
    uint8_t flash; /* 0: none */
    bool is_lost;
    uint32_t blink_ms; /* when the blink of the mode, or of the lost link, last started */
    uint32_t flash_ms;
} led_t;

void led_init(led_t *led);

/* What the table waits for. An unknown mode is dark. */
void led_mode(led_t *led, uint8_t mode, uint32_t now_ms);

/* Shows whether a key was accepted. An unknown flash shows nothing. */
void led_flash(led_t *led, uint8_t flash, uint32_t now_ms);

/* Sets whether the link is lost. */
void led_lost(led_t *led, bool is_lost, uint32_t now_ms);

/* Whether the LED is lit. Call it every millisecond: it advances the blink, as the clock may wrap. */
bool led_is_lit(led_t *led, uint32_t now_ms);

#endif
