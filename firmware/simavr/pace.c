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
#include "pace.h"

#include <poll.h>
#include <stddef.h>
#include <time.h>

#include "chip.h"
#include "script.h"
#include "wire.h"

enum {
    MAX_LAG_NS = 50000000,
};

static bool is_fast;
static struct timespec began;
static avr_cycle_count_t began_cycle;

void pace_start(void)
{
    clock_gettime(CLOCK_MONOTONIC, &began);
    began_cycle = avr->cycle;
}

/* How far the pad is ahead of real time at this cycle; never negative.
 *
 * On a busy machine the pad falls behind. It catches up with a small lag only: after a long one it
 * would run too fast for a host, whose timeouts are in real time. */
static int64_t ns_until(avr_cycle_count_t cycle)
{
    if (is_fast) {
        return 0;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t gone = (now.tv_sec - began.tv_sec) * 1000000000LL + now.tv_nsec - began.tv_nsec;
    const int64_t cycles = (int64_t)(cycle - began_cycle);
    const int64_t left = cycles * 125 / 2 - gone; /* 62.5 ns a cycle */
    if (left < -MAX_LAG_NS) {
        began = now;
        began_cycle = cycle;
    }
    return left > 0 ? left : 0;
}

void pace_listen(int64_t ns, avr_cycle_count_t leap)
{
    struct pollfd ends[3] = {
        {.fd = script_input(), .events = POLLIN},
        {.fd = wire_watch(), .events = POLLIN},
        /* A pty that nobody has opened is always ready: ignore it, or we would never wait. */
        {.fd = wire_is_open() ? wire_port() : -1, .events = POLLIN},
    };
    const struct timespec span = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    if (ppoll(ends, 3, &span, NULL) <= 0) {
        return;
    }
    if (ends[1].revents) {
        wire_read_watch();
    }
    if (ends[2].revents) {
        wire_read(ends[2].revents);
    }
    if (ends[0].revents) {
        script_read(leap);
    }
}

void pace_catch_up(void)
{
    pace_listen(ns_until(avr->cycle), 0);
}

/* The callback of simavr for a chip that sleeps until the next timer. */
static void sleeping(avr_t *a, avr_cycle_count_t cycles)
{
    const avr_cycle_count_t until = a->cycle + cycles;
    for (;;) {
        const int64_t left = ns_until(until);
        pace_listen(left, cycles);
        if (left == 0 || script_is_halted()) {
            return;
        }
    }
}

void pace_init(bool is_as_fast_as_it_can)
{
    is_fast = is_as_fast_as_it_can;
    avr->sleep = sleeping;
}
