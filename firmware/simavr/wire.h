/*
 * The serial line: connects the chip's UART with a pty, at the real speed.
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
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>

/* `link_path`: a symbolic link to the pty, or NULL. `resets_on_open`: as on a Nano, by DTR. */
void wire_init(const char *link_path, bool resets_on_open);

/* Opens a new pty, and prints its name to standard output. */
void wire_open(void);

/* Closes the pty and drops pending bytes. Idempotent. */
void wire_close(void);

/* The file descriptor of our end of the pty, for poll(); -1 without a pty. */
int wire_port(void);

/* The file descriptor that is readable when a host has opened or closed the other end; -1 without a
 * pty. */
int wire_watch(void);

/* Whether the other end is open. */
bool wire_is_open(void);

/* Notices that the other end was opened or closed. The first opening may reset the board. */
void wire_read_watch(void);

/* Reads bytes from the host. `events` are the poll() events of our end. */
void wire_read(short events);

/* Sets the simavr timer for pending bytes. Call it after a reset too. */
void wire_schedule(void);

#endif
