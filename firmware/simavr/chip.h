/*
 * The pad's chip, an ATmega328P in simavr, with what is in it: the image, the EEPROM, the noise.
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
#ifndef CHIP_H
#define CHIP_H

#include <stdint.h>

#include <simavr/sim_avr.h>

enum {
    CHIP_HZ = 16000000,
};

/* simavr's own, for all that is asked of it: there is one pad in a process. */
extern avr_t *avr;

/* Makes the chip and loads the image; the same seed is the same noise. */
void chip_make(const char *image, uint64_t noise_seed);

/* The EEPROM is in a file, so that a pad is the same one tomorrow; NULL is none. A file that is not
 * there is a new board. */
void chip_load_eeprom(const char *path);
void chip_save_eeprom(const char *path);

/* The pad's time is counted in cycles. */
avr_cycle_count_t chip_cycles_of_us(double us);

/* A line on standard output, with the pad's time. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The end of the program, with the reason. */
_Noreturn void fail(const char *what);

#endif
