/*
 * The script: commands from standard input, line by line, in the pad's time (described in main.c).
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

/* Makes standard input non-blocking. */
void script_init(void);

/* The file descriptor of the script; -1 at its end. */
int script_input(void);

/* Sets a later time at which the script continues: simavr sleeps in one leap, and all commands within
 * the leap would otherwise run at its end. */
void script_read(avr_cycle_count_t leap);

/* Runs the script until it has to wait. */
void script_go_on(void);

/* Sets the simavr timer for the end of the wait. Call it after a reset too. */
void script_schedule(void);

/* Ends a wait, whatever the pad's time is. */
void script_stop_waiting(void);

/* Whether the script waits for a request to the board, or is at its end. */
bool script_is_halted(void);
bool script_is_over(void);

#endif
