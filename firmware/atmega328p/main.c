/* The die pad on an Arduino Nano (ATmega328P, 16 MHz): connects core/pad.c with the hardware. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "../core/pad.h"
#include "clock.h"
#include "memory.h"
#include "noise.h"
#include "pins.h"
#include "uart.h"

/* After a watchdog reset the watchdog stays on with its shortest timeout (datasheet 10.8.2). It must be
 * off before the C runtime initialises the memory. */
void stop_watchdog(void) __attribute__((naked, used, section(".init3")));
void stop_watchdog(void)
{
    MCUSR = 0;
    wdt_disable();
}

static pad_t pad;

static void start(void)
{
    noise_init();
    dice_t chance; /* for the id of a new board */
    dice_init(&chance);
    uint32_t noise = 0;
    for (uint8_t i = 0; i < 128; i++) {
        noise = (noise << 7 | noise >> 25) ^ noise_read();
        dice_stir(&chance, noise);
    }

    pad_identity_t identity;
    memory_load(&identity, dice_next(&chance));

    pins_init();
    uart_init();
    clock_init();
    pad_init(&pad, uart_send, &identity, clock_ms());
    pad_stir(&pad, dice_next(&chance));
    pad_stir(&pad, dice_next(&chance));
    /* Even without noise, each boot and each board gets different numbers. */
    pad_stir(&pad, identity.boots);
    pad_stir(&pad, (uint32_t)identity.board[0] << 24 | (uint32_t)identity.board[1] << 16 |
                       (uint32_t)identity.board[2] << 8 | identity.board[3]);
}

static void every_ms(uint32_t now)
{
    uint16_t times;
    if (pins_edges(&times)) {
        pad_stir(&pad, now << 16 ^ times);
        pad_stir(&pad, noise_read());
    }
    pad_keys(&pad, pins_keys(), now);
    pad_tick(&pad, now);
    pins_led(pad_led(&pad, now));
}

static void sleep_until_something(void)
{
    cli();
    if (!clock_has_ticked() && !uart_has_received()) {
        sleep_enable();
        sei(); /* takes effect after the next instruction, so no interrupt is missed */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    wdt_enable(WDTO_500MS);
    start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    for (;;) {
        uint8_t byte;
        if (uart_receive(&byte)) { /* only one, so that many bytes cannot delay the clock */
            pad_receive(&pad, byte, clock_ms());
        }
        if (clock_take()) { /* so that both this loop and the timer must run */
            wdt_reset();
            every_ms(clock_ms());
        }
        sleep_until_something();
    }
}
