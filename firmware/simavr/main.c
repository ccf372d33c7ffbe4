/*
 * pad_sim: runs the die pad's image in simavr, with its UART behind a pty. Used by tests, and by
 * play and bench as a separate program.
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
 *
 *   pad_sim [--fast] [--dtr] [--link PATH] [--eeprom FILE] [--noise SEED] IMAGE.hex
 *   pad_sim --dtr --bootloader BOOT.hex [--mcu NAME] [...] [IMAGE.hex]
 *
 * runs in real time, or with --fast as fast as possible. --dtr: opening the port resets the pad, as
 * on a Nano. --link: a symbolic link to the pty, which stays when the pty changes. --eeprom: a file.
 * --bootloader: starts after each reset, and can load an image; without IMAGE.hex the chip is empty.
 * --mcu: simavr's name of the chip, atmega328p by default.
 *
 * Output, one line each (t is the pad's time in milliseconds):
 *   pty /dev/pts/N             the port of the pad
 *   led 1 t=1.234              the LED changed
 *   reset watchdog t=1.234     the pad started: power, button, dtr or watchdog
 *   echo WORD t=1.234          the script reached this point
 *
 * Commands on standard input:
 *   key K down|up              K is 1 to 5 (ROLL)
 *   bounce K N US [up]         K is pressed (released) and bounces N times, US microseconds
 *                              each
 *   glitch K US                K is closed for US microseconds
 *   level D2 0|1               the level of a pin, D2 to D6
 *   wait MS                    delays the following lines, in the pad's time
 *   echo WORD
 *   reset                      the button on the board
 *   hang loop|timer            the program loops forever with interrupts on; the timer stops
 *   unplug, plug               the cable, with the power
 *   quit                       (or the end of standard input, when all is done)
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "chip.h"
#include "pace.h"
#include "script.h"
#include "wire.h"

enum {
    DEAF_STEPS = 8192,
    UNPLUGGED_NS = 10000000,
};

typedef struct {
    const char *image, *bootloader, *mcu, *link_path, *eeprom_path;
    bool is_fast, resets_on_open;
    uint64_t noise_seed;
} options_t;

static options_t read_options(int count, char **words)
{
    options_t options = {.mcu = "atmega328p", .noise_seed = 1};
    for (int i = 1; i < count; i++) {
        const bool has_value = i + 1 < count;
        if (strcmp(words[i], "--fast") == 0) {
            options.is_fast = true;
        } else if (strcmp(words[i], "--dtr") == 0) {
            options.resets_on_open = true;
        } else if (strcmp(words[i], "--bootloader") == 0 && has_value) {
            options.bootloader = words[++i];
        } else if (strcmp(words[i], "--mcu") == 0 && has_value) {
            options.mcu = words[++i];
        } else if (strcmp(words[i], "--link") == 0 && has_value) {
            options.link_path = words[++i];
        } else if (strcmp(words[i], "--eeprom") == 0 && has_value) {
            options.eeprom_path = words[++i];
        } else if (strcmp(words[i], "--noise") == 0 && has_value) {
            options.noise_seed = strtoull(words[++i], NULL, 0);
        } else {
            options.image = words[i];
        }
    }
    if (!options.image && !options.bootloader) {
        fail("which image? pad_sim [--fast] [--dtr] [--link PATH] [--eeprom FILE] IMAGE.hex");
    }
    return options;
}

static void run(void)
{
    unsigned steps = 0;
    while (!script_is_over()) {
        board_change_cable();
        if (!board_is_plugged()) {
            script_stop_waiting(); /* without power the pad's time does not pass */
            pace_listen(UNPLUGGED_NS, 0);
            script_go_on();
            continue;
        }
        board_step();
        if (++steps >= DEAF_STEPS) { /* read input also if the program never sleeps */
            steps = 0;
            pace_catch_up();
        }
    }
}

int main(int count, char **words)
{
    const options_t options = read_options(count, words);
    chip_make(options.mcu, options.noise_seed);
    if (options.image) {
        chip_load(options.image);
    }
    if (options.bootloader) {
        chip_load_bootloader(options.bootloader);
    }
    chip_load_eeprom(options.eeprom_path);
    wire_init(options.link_path, options.resets_on_open);
    pace_init(options.is_fast);
    script_init();
    board_init();
    run();
    chip_save_eeprom(options.eeprom_path);
    wire_close();
    return 0;
}
