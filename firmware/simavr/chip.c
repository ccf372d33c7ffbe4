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
#include "chip.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/sim_hex.h>

enum {
    EEPROM_SIZE = 1024,
    MILLIVOLTS = 5000,
    NOISE_MV = 2200,
    NOISE_SPAN_MV = 600,
};

avr_t *avr;
static uint64_t chance;

_Noreturn void fail(const char *what)
{
    fprintf(stderr, "pad_sim: %s: %s\n", what, errno ? strerror(errno) : "not understood");
    exit(1);
}

void say(const char *format, ...)
{
    va_list words;
    va_start(words, format);
    vprintf(format, words);
    va_end(words);
    printf(" t=%.3f\n", (double)avr->cycle * 1000.0 / CHIP_HZ);
    fflush(stdout);
}

avr_cycle_count_t chip_cycles_of_us(double us)
{
    return (avr_cycle_count_t)(us * (CHIP_HZ / 1000000));
}

/* simavr logs a lot, and must not write to standard output. */
static void keep_quiet(avr_t *a, const int level, const char *format, va_list words)
{
    (void)a;
    if (level <= LOG_ERROR) {
        vfprintf(stderr, format, words);
    }
}

/* An open input: some millivolts around the middle (splitmix64). */
static void noise_wanted(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value, (void)param;
    uint64_t z = chance += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const uint32_t mv = NOISE_MV + (uint32_t)((z ^ (z >> 31)) % NOISE_SPAN_MV);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC7), mv);
}

/* Returns the lowest address. */
static uint32_t load(const char *path)
{
    ihex_chunk_p chunks = NULL;
    const int count = read_ihex_chunks(path, &chunks);
    if (count <= 0) {
        fail(path);
    }
    uint32_t lowest = UINT32_MAX;
    for (int i = 0; i < count; i++) {
        if (chunks[i].baseaddr + chunks[i].size > avr->flashend + 1) {
            errno = EFBIG;
            fail(path);
        }
        memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
        lowest = chunks[i].baseaddr < lowest ? chunks[i].baseaddr : lowest;
    }
    free_ihex_chunks(chunks);
    return lowest;
}

void chip_load(const char *path)
{
    load(path);
}

void chip_load_bootloader(const char *path)
{
    avr->reset_pc = load(path);
}

void chip_make(const char *mcu, uint64_t noise_seed)
{
    avr_global_logger_set(keep_quiet);
    avr = avr_make_mcu_by_name(mcu);
    if (!avr) {
        fail(mcu);
    }
    avr_init(avr);
    avr->frequency = CHIP_HZ;
    avr->vcc = avr->avcc = avr->aref = MILLIVOLTS;
    avr->codeend = avr->flashend; /* a bootloader writes programs later */
    chance = noise_seed;
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), noise_wanted, NULL);
}

void chip_load_eeprom(const char *path)
{
    uint8_t bytes[EEPROM_SIZE];
    avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = EEPROM_SIZE};
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) {
        return;
    }
    if (fread(bytes, 1, sizeof bytes, file) == sizeof bytes) {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
    }
    fclose(file);
}

void chip_save_eeprom(const char *path)
{
    uint8_t bytes[EEPROM_SIZE];
    avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = EEPROM_SIZE};
    if (!path) {
        return;
    }
    FILE *file = fopen(path, "wb");
    if (!file) {
        fail(path);
    }
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
    fwrite(bytes, 1, sizeof bytes, file);
    fclose(file);
}
