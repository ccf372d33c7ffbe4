/*
 * The pad's chip, an ATmega328P in simavr, with its image, bootloader, EEPROM and noise.
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

/* The chip of simavr: there is one pad per process. */
extern avr_t *avr;

/* Creates the chip (`mcu`: simavr's name of it). The same seed gives the same noise. */
void chip_make(const char *mcu, uint64_t noise_seed);

/* Loads the image of a program. */
void chip_load(const char *path);

/* Loads a bootloader, which starts after a reset from now on, as the fuses of a Nano say. */
void chip_load_bootloader(const char *path);

/* The file that keeps the EEPROM between runs, or NULL. If the file does not exist, the board is
 * new. */
void chip_load_eeprom(const char *path);
void chip_save_eeprom(const char *path);

/* The pad's time, in cycles. */
avr_cycle_count_t chip_cycles_of_us(double us);

/* Prints a line with the pad's time to standard output. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program with an error message. */
_Noreturn void fail(const char *what);

#endif
