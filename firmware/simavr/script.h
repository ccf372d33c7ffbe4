/*
 * The script: what is told on standard input, line by line, in the pad's time (main.c has the words).
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
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>

#include <simavr/sim_avr.h>

/* Standard input is never waited for. */
void script_init(void);

/* Where it is told; -1 once all is told. */
int script_input(void);

/* What is told goes on at a moment that is still to come: simavr sleeps in one leap, and whatever is
 * asked for within the leap would happen at its end all at once. */
void script_read(avr_cycle_count_t leap);

/* As far as the script goes without waiting. */
void script_go_on(void);

/* Has simavr wake us when the wait is over; after a reset too, which forgets it. */
void script_schedule(void);

/* A wait is over, whatever the pad's time is. */
void script_stop_waiting(void);

/* Whether it stands until the board has done what is asked of it; at its end it stands for good. */
bool script_is_halted(void);
bool script_is_over(void);

#endif
