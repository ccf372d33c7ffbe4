#include "led.h"

#include <string.h>

void led_init(led_t *led)
{
    memset(led, 0, sizeof *led);
}

void led_mode(led_t *led, uint8_t mode, uint32_t now_ms)
{
    if (mode == led->mode) {
        return; /* STATE is repeated: do not restart the blink */
    }
    led->mode = mode;
    if (!led->is_lost) {
        led->blink_ms = now_ms;
    }
}

void led_flash(led_t *led, uint8_t flash, uint32_t now_ms)
{
    if (flash == LED_ACCEPTED || flash == LED_REFUSED) {
        led->flash = flash;
        led->flash_ms = now_ms;
    }
}

void led_lost(led_t *led, bool is_lost, uint32_t now_ms)
{
    if (is_lost != led->is_lost) {
        led->is_lost = is_lost;
        led->blink_ms = now_ms;
    }
}

/* The position within the blink period. */
static uint32_t blink(led_t *led, uint32_t now_ms, uint16_t period_ms)
{
    const uint32_t gone_ms = now_ms - led->blink_ms;
    if (gone_ms < period_ms) {
        return gone_ms;
    }
    led->blink_ms += gone_ms - gone_ms % period_ms;
    return gone_ms % period_ms;
}

bool led_is_lit(led_t *led, uint32_t now_ms)
{
    const uint32_t flashing_ms = now_ms - led->flash_ms;
    if (led->flash == LED_ACCEPTED && flashing_ms < LED_ACCEPTED_MS) {
        return true;
    }
    if (led->flash == LED_REFUSED && flashing_ms < 5 * LED_REFUSED_MS) {
        return (flashing_ms / LED_REFUSED_MS) % 2 == 0;
    }
    led->flash = 0;

    if (led->is_lost) {
        return blink(led, now_ms, LED_LOST_PERIOD_MS) < LED_LOST_MS;
    }
    if (led->mode == LED_WANTED) {
        return blink(led, now_ms, 2 * LED_HALF_BLINK_MS) < LED_HALF_BLINK_MS;
    }
    return false;
}
