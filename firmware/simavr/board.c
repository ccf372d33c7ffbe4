/*
 * Copyright (C) the authors of Marrakech companion
 *
 * The files of this folder are linked with libsimavr, which is under the GNU General Public License,
 * and so are they: you can redistribute them and/or modify them under the terms of the GNU General
 * Public License as published by the Free Software Foundation, either version 3 of the License, or (at
 * your option) any later version. They are distributed in the hope that they will be useful, but
 * WITHOUT ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or FITNESS FOR A
 * PARTICULAR PURPOSE. See <https://www.gnu.org/licenses/>. No other file of the project is linked
 * with it.
 */
#include "board.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>

#include "chip.h"
#include "contacts.h"
#include "pace.h"
#include "script.h"
#include "wire.h"

enum {
    LED_PIN = 5,     /* D13, PB5 */
    MCUSR_AT = 0x54, /* in data space */
    PORF_BIT = 0,
    EXTRF_BIT = 1,
    WDRF_BIT = 3,
    TIMSK1_AT = 0x6F,
};

static bool is_plugged, is_led_lit;
static const char *wanted_reset;
static hang_t wanted_hang;
static bool wants_plug, wants_unplug;

void board_want_reset(const char *why)
{
    /* An unplugged board cannot be reset; waiting for it would stop the script. */
    wanted_reset = is_plugged ? why : NULL;
}

void board_want_hang(hang_t how)
{
    wanted_hang = is_plugged ? how : HANG_NONE;
}

void board_want_plug(void)
{
    wants_plug = true;
}

void board_want_unplug(void)
{
    wants_unplug = true;
}

bool board_is_wanted(void)
{
    return wanted_reset || wanted_hang || wants_plug || wants_unplug;
}

bool board_is_plugged(void)
{
    return is_plugged;
}

static void set_led(bool is_lit)
{
    if (is_lit != is_led_lit) {
        is_led_lit = is_lit;
        say("led %d", is_lit);
    }
}

static void led_changed(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    set_led(value & 1);
}

/* Settings that simavr needs again after each start of the chip. */
static void started(const char *why)
{
    /* D2 and D3 are also INT0 and INT1, which simavr would check in every cycle while they are low. */
    avr_extint_set_strict_lvl_trig(avr, 0, 0);
    avr_extint_set_strict_lvl_trig(avr, 1, 0);
    set_led(false);
    contacts_restore();
    wire_schedule();
    contacts_schedule();
    script_schedule();
    say("reset %s", why);
}

static void restart(const char *why)
{
    wanted_reset = NULL;
    avr_reset(avr);
    /* Bootloaders wait for a host only after an external reset: the button, or DTR. */
    avr->data[MCUSR_AT] = 1 << (strcmp(why, "power") == 0 ? PORF_BIT : EXTRF_BIT);
    started(why);
    script_go_on();
}

static void hang(void)
{
    if (wanted_hang == HANG_TIMER) {
        avr->data[TIMSK1_AT] = 0;
    } else { /* `rjmp .-2`, an endless loop */
        for (avr_flashaddr_t at = 0; at < avr->flashend; at += 2) {
            if (avr->flash[at] == 0xFF && avr->flash[at + 1] == 0xCF) {
                avr->pc = at;
                avr->state = cpu_Running;
                break;
            }
        }
    }
    wanted_hang = HANG_NONE;
    script_go_on();
}

static void plug_in(void)
{
    is_plugged = true;
    wire_open();
    pace_start();
    wants_plug = false; /* before the script continues, which waits for pending requests */
    restart("power");
}

static void unplug(void)
{
    wire_close();
    is_plugged = false;
    wanted_reset = NULL;
    wanted_hang = HANG_NONE;
    set_led(false);
}

void board_change_cable(void)
{
    if (!wants_plug && !wants_unplug) {
        return;
    }
    if (wants_unplug && is_plugged) {
        unplug();
    }
    wants_unplug = false;
    if (wants_plug && !is_plugged) {
        plug_in();
    }
    wants_plug = false;
    script_go_on();
}

void board_step(void)
{
    if (wanted_reset) {
        restart(wanted_reset);
    }
    if (wanted_hang) {
        hang();
    }
    avr_run(avr);
    if (avr->pc == avr->reset_pc && avr->state == cpu_Running) { /* a reset, not an instruction */
        if (avr->data[MCUSR_AT] & 1 << WDRF_BIT) {
            started("watchdog");
        } else if (avr->reset_pc == 0) {
            started("jump");
        } /* else an empty chip: erased flash does nothing, and the bootloader follows it */
    }
    if (avr->state == cpu_Done || avr->state == cpu_Crashed) {
        fail("the pad crashed");
    }
}

void board_init(void)
{
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), LED_PIN), led_changed, NULL);
    plug_in();
}
