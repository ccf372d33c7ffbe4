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
#include "script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "board.h"
#include "chip.h"
#include "contacts.h"

enum {
    LINES = 65536, /* bytes of waiting lines */
    LINE = 256,
};

static char lines[LINES];
static size_t lines_count;
static avr_cycle_count_t script_cycle; /* the time of the script: at or after now while it waits */
static bool is_told_all, is_over;

void script_init(void)
{
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
}

int script_input(void)
{
    /* With no space left, read() would return 0, as at the end of the input. */
    return is_told_all || lines_count == LINES ? -1 : STDIN_FILENO;
}

bool script_is_over(void)
{
    return is_over;
}

bool script_is_halted(void)
{
    return is_over || board_is_wanted();
}

static bool is_key(int key)
{
    return key >= 1 && key <= CONTACTS;
}

static void obey(const char *line)
{
    char word[32] = "", how[32] = "", port = 0;
    int key = 0, pin = 0, count = 0, level = 0;
    double span = 0;
    errno = 0;
    if (sscanf(line, "key %d %31s", &key, how) == 2 && is_key(key)) {
        contacts_set(key - 1, strcmp(how, "down") != 0);
    } else if (sscanf(line, "bounce %d %d %lf%*[us] %31s", &key, &count, &span, how) >= 3 &&
               is_key(key)) {
        contacts_bounce(key - 1, count, span, strcmp(how, "up") != 0);
    } else if (sscanf(line, "glitch %d %lf", &key, &span) == 2 && is_key(key)) {
        contacts_glitch(key - 1, span);
    } else if (sscanf(line, "level %c%d %d", &port, &pin, &level) == 3 && port == 'D' &&
               pin >= CONTACTS_FIRST_PIN && pin < CONTACTS_FIRST_PIN + CONTACTS) {
        contacts_set(pin - CONTACTS_FIRST_PIN, level != 0);
    } else if (sscanf(line, "wait %lf", &span) == 1) {
        script_cycle = avr->cycle + chip_cycles_of_us(span * 1000);
    } else if (sscanf(line, "echo %31s", word) == 1) {
        say("echo %s", word);
    } else if (strcmp(line, "reset") == 0) {
        board_want_reset("button");
    } else if (sscanf(line, "hang %31s", how) == 1) {
        board_want_hang(strcmp(how, "timer") == 0 ? HANG_TIMER : HANG_LOOP);
    } else if (strcmp(line, "unplug") == 0) {
        board_want_unplug();
    } else if (strcmp(line, "plug") == 0) {
        board_want_plug();
    } else if (strcmp(line, "quit") == 0) {
        is_over = true;
    } else if (line[0] != '\0') {
        fail(line);
    }
}

static avr_cycle_count_t script_due(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)when, (void)param;
    script_go_on();
    return 0;
}

void script_schedule(void)
{
    if (script_cycle > avr->cycle && board_is_plugged()) {
        avr_cycle_timer_register(avr, script_cycle - avr->cycle, script_due, NULL);
    }
}

void script_stop_waiting(void)
{
    script_cycle = 0;
}

void script_go_on(void)
{
    char *end;
    while (!script_is_halted() && avr->cycle >= script_cycle &&
           (end = memchr(lines, '\n', lines_count)) != NULL) {
        char line[LINE];
        const size_t length = (size_t)(end - lines);
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        lines_count -= length + 1;
        memmove(lines, end + 1, lines_count);
        obey(line);
    }
    if (is_told_all && lines_count == 0 && !script_is_halted() && avr->cycle >= script_cycle) {
        is_over = true;
    }
    script_schedule();
    contacts_schedule();
}

void script_read(avr_cycle_count_t leap)
{
    const ssize_t got = read(STDIN_FILENO, &lines[lines_count], LINES - lines_count);
    if (got == 0) {
        is_told_all = true;
    } else if (got > 0) {
        lines_count += (size_t)got;
    }
    if (avr->cycle >= script_cycle) {
        avr_cycle_timer_register(avr, leap + 1, script_due, NULL);
    }
}
