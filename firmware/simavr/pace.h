/*
 * The pace: keeps the pad's time at real time, and reads the script and the wire meanwhile.
 *
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
#ifndef PACE_H
#define PACE_H

#include <stdbool.h>
#include <stdint.h>

#include <simavr/sim_avr.h>

/* Replaces the sleep function of the chip: in real time, or as fast as possible. */
void pace_init(bool is_fast);

/* The power is on: the pad's time continues from now. */
void pace_start(void);

/* Waits while the pad is ahead of real time, and reads input at least once. */
void pace_catch_up(void);

/* Waits for input, but not longer than this. `leap`: the cycles that simavr sleeps now. */
void pace_listen(int64_t ns, avr_cycle_count_t leap);

#endif
