/*
 * The wire: the chip's UART on one end, a pty on the other, at the speed of a real one.
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

/* A new pty, which is told on standard output. */
void wire_open(void);

/* The pty is gone, with what was under way; twice is no trouble. */
void wire_close(void);

/* Our end of the pty, to wait for; -1 without one. */
int wire_port(void);

/* Whether somebody has the other end. */
bool wire_is_open(void);

/* Takes what the host sent; `events` is what poll() said of our end. */
void wire_read(short events);

/* Has simavr take the bytes that are under way; after a reset too, which forgets it. */
void wire_schedule(void);

#endif
