/*
 * The five contacts of the keys: set at once, or with pending edges.
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
#ifndef CONTACTS_H
#define CONTACTS_H

#include <stdbool.h>

/* Contacts are numbered from 0: key 1 is contact 0, on D2 (PD2). */
enum {
    CONTACTS = 5,
    CONTACTS_FIRST_PIN = 2,
};

/* Level 0 is closed. */
void contacts_set(int contact, int level);

/* Closes (or opens, on release) and bounces `count` times, `us` after each edge. */
void contacts_bounce(int contact, int count, double us, bool is_press);

/* Closes for `us`, then opens again. */
void contacts_glitch(int contact, double us);

/* Sets the simavr timer for the next edge. Call it after adding edges and after a reset. */
void contacts_schedule(void);

/* Updates the levels after a reset, which disables the pull-ups. */
void contacts_restore(void);

#endif
