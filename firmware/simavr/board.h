/*
 * The board: its cable, its reset button, its LED, and a program that hangs.
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
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>

typedef enum {
    HANG_NONE,
    HANG_LOOP,  /* the program loops forever, with interrupts on */
    HANG_TIMER, /* its timer stops */
} hang_t;

/* Plugs the board in: the pad starts. */
void board_init(void);

/* Requests are executed between instructions: most of them are made in simavr's callbacks, where the
 * chip must not be changed. */
void board_want_reset(const char *why);
void board_want_hang(hang_t how);
void board_want_plug(void);
void board_want_unplug(void);
bool board_is_wanted(void);

bool board_is_plugged(void);

/* Plugs in or unplugs, if requested. */
void board_change_cable(void);

/* Resets or hangs, if requested; then runs one instruction, or one sleep. Only while plugged in. */
void board_step(void);

#endif
