/*
 * pad_sim: the die pad's real image in simavr, its UART behind a pty. For tests, and for play
 * and bench, which run it as a program of its own.
 *
 * Copyright (C) the authors of Marrakech companion
 *
 * This one file is linked with libsimavr, which is under the GNU General Public License, and so is it:
 * you can redistribute it and/or modify it under the terms of the GNU General Public License as
 * published by the Free Software Foundation, either version 3 of the License, or (at your option) any
 * later version. It is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY;
 * without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See
 * <https://www.gnu.org/licenses/>. No other file of the project is linked with it.
 *
 *   pad_sim [--fast] [--dtr] [--link PATH] [--eeprom FILE] [--noise SEED] IMAGE.hex
 *
 * runs in real time, or with --fast as fast as it can. --dtr: opening the port resets the pad, as on a
 * Nano. --link: a symbolic link to the pty, which stays when the pty changes. --eeprom: kept in a file.
 *
 * It says, a line each (t is the pad's time in milliseconds):
 *   pty /dev/pts/N             where the pad is
 *   led 1 t=1.234              the LED changed
 *   reset watchdog t=1.234     the pad started: power, button, dtr or watchdog
 *   echo WORD t=1.234          the script came to this point
 *
 * and is told on standard input:
 *   key K down|up              K is 1 to 5 (ROLL)
 *   bounce K N US [up]         K is pressed (let go): opens and closes again N times, US microseconds each
 *   glitch K US                K is closed for US microseconds
 *   level D2 0|1               the level of a pin, D2 to D6
 *   wait MS                    the lines after this one wait, in the pad's time
 *   echo WORD
 *   reset                      the button on the board
 *   hang loop|timer            the program stands still with interrupts on; the timer stops
 *   unplug, plug               the cable, with the power
 *   quit                       (or the end of standard input, once all is done)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_hex.h>
#include <simavr/sim_time.h>

enum {
    CLOCK_HZ = 16000000,
    BYTE_CYCLES = 3000, /* one byte at 57 600 baud, with a little air */
    KEYS = 5,
    FIRST_PIN = 2, /* key 1 is D2, PD2 */
    LED_PIN = 5,   /* D13, PB5 */
    PORTD_AT = 0x2B, /* in data space */
    UCSR0A_AT = 0xC0,
    UBRR0_AT = 0xC4,
    U2X_BIT = 1,
    BAUD = 57600,
    MCUSR_AT = 0x54,
    WDRF_BIT = 3,
    TIMSK1_AT = 0x6F,
    EEPROM_SIZE = 1024,
    EDGES = 4096,
    LINES = 65536,
    WIRE = 65536,
};

typedef struct {
    avr_cycle_count_t when;
    int key;
    int level;
} edge_t;

static avr_t *avr;
static bool is_fast, resets_on_open, is_plugged = true, is_led_lit, is_told_all, is_over;
static const char *link_path, *eeprom_path;
static int levels[KEYS] = {1, 1, 1, 1, 1};
static const char *wanted_reset; /* done between instructions, never inside a callback */
static const char *wanted_hang;
static bool wants_plug, wants_unplug;
static uint64_t chance = 1;

static void fail(const char *what)
{
    fprintf(stderr, "pad_sim: %s: %s\n", what, errno ? strerror(errno) : "not understood");
    exit(1);
}

static void say(const char *format, ...)
{
    va_list words;
    va_start(words, format);
    vprintf(format, words);
    va_end(words);
    printf(" t=%.3f\n", (double)avr->cycle * 1000.0 / CLOCK_HZ);
    fflush(stdout);
}

/* --- Contacts ----------------------------------------------------------------------------- */

static edge_t edges[EDGES];
static int edge_count;

/* A closed contact is low. An open one is high if the program has put a pull-up there, else low. */
static void set_level(int key, int level)
{
    levels[key] = level;
    avr_ioport_external_t closed = {.name = 'D', .value = 0};
    for (int i = 0; i < KEYS; i++) {
        closed.mask |= (unsigned)!levels[i] << (FIRST_PIN + i);
    }
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &closed);
    const int pull_up = avr->data[PORTD_AT] >> (FIRST_PIN + key) & 1;
    avr_raise_irq(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), FIRST_PIN + key), level && pull_up);
}

/* A reset takes the pull-ups away, and simavr must be told. */
static void restore_levels(void)
{
    for (int key = 0; key < KEYS; key++) {
        set_level(key, levels[key]);
    }
}

static avr_cycle_count_t edges_due(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    while (edge_count > 0 && edges[0].when <= a->cycle) {
        const edge_t edge = edges[0];
        memmove(&edges[0], &edges[1], sizeof edges[0] * (size_t)--edge_count);
        set_level(edge.key, edge.level);
    }
    return edge_count > 0 ? edges[0].when : 0;
}

static void schedule(void)
{
    if (edge_count > 0) {
        const avr_cycle_count_t when = edges[0].when;
        avr_cycle_timer_register(avr, when > avr->cycle ? when - avr->cycle : 1, edges_due, NULL);
    }
}

static void add_edge(avr_cycle_count_t when, int key, int level)
{
    if (edge_count == EDGES) {
        fail("too many edges at once");
    }
    int at = edge_count++;
    for (; at > 0 && edges[at - 1].when > when; at--) {
        edges[at] = edges[at - 1];
    }
    edges[at] = (edge_t){when, key, level};
}

/* --- The script --------------------------------------------------------------------------- */

static char lines[LINES];
static size_t lines_count;
static avr_cycle_count_t script_cycle; /* where the script is: at or after now while it waits */

static avr_cycle_count_t cycles_of_us(double us)
{
    return (avr_cycle_count_t)(us * (CLOCK_HZ / 1000000));
}

static void obey(char *line)
{
    char word[32] = "", how[32] = "", pin = 0;
    int key = 0, count = 0, level = 0;
    double span = 0;
    errno = 0;
    if (sscanf(line, "key %d %31s", &key, how) == 2 && key >= 1 && key <= KEYS) {
        set_level(key - 1, strcmp(how, "down") != 0);
    } else if (sscanf(line, "bounce %d %d %lf%*[us] %31s", &key, &count, &span, how) >= 3 &&
               key >= 1 && key <= KEYS) {
        const int last = strcmp(how, "up") == 0;
        for (int i = 0; i <= 2 * count; i++) {
            add_edge(avr->cycle + cycles_of_us(span * i), key - 1, i % 2 ? !last : last);
        }
    } else if (sscanf(line, "glitch %d %lf", &key, &span) == 2 && key >= 1 && key <= KEYS) {
        add_edge(avr->cycle, key - 1, 0);
        add_edge(avr->cycle + cycles_of_us(span), key - 1, 1);
    } else if (sscanf(line, "level %c%d %d", &pin, &key, &level) == 3 && pin == 'D' &&
               key >= FIRST_PIN && key < FIRST_PIN + KEYS) {
        set_level(key - FIRST_PIN, level != 0);
    } else if (sscanf(line, "wait %lf", &span) == 1) {
        script_cycle = avr->cycle + cycles_of_us(span * 1000);
    } else if (sscanf(line, "echo %31s", word) == 1) {
        say("echo %s", word);
    } else if (strcmp(line, "reset") == 0) {
        wanted_reset = "button";
    } else if (sscanf(line, "hang %31s", how) == 1) {
        wanted_hang = strcmp(how, "timer") == 0 ? "timer" : "loop";
    } else if (strcmp(line, "unplug") == 0) {
        wants_unplug = true;
    } else if (strcmp(line, "plug") == 0) {
        wants_plug = true;
    } else if (strcmp(line, "quit") == 0) {
        is_over = true;
    } else if (line[0] != '\0') {
        fail(line);
    }
}

static bool is_halted(void)
{
    return is_over || wanted_reset || wanted_hang || wants_plug || wants_unplug;
}

static avr_cycle_count_t script_due(avr_t *a, avr_cycle_count_t when, void *param);

/* As far as the script goes without waiting. */
static void go_on(void)
{
    char *end;
    while (!is_halted() && avr->cycle >= script_cycle &&
           (end = memchr(lines, '\n', lines_count)) != NULL) {
        char line[256];
        const size_t length = (size_t)(end - lines);
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        lines_count -= length + 1;
        memmove(lines, end + 1, lines_count);
        obey(line);
    }
    if (is_told_all && lines_count == 0 && !is_halted() && avr->cycle >= script_cycle) {
        is_over = true;
    }
    if (script_cycle > avr->cycle && is_plugged) {
        avr_cycle_timer_register(avr, script_cycle - avr->cycle, script_due, NULL);
    }
    schedule();
}

static avr_cycle_count_t script_due(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)when, (void)param;
    go_on();
    return 0;
}

/* What is told goes on at a moment that is still to come: simavr sleeps in one leap, and whatever is
 * asked for within the leap would happen at its end all at once. */
static void read_script(avr_cycle_count_t leap)
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

/* --- The wire ----------------------------------------------------------------------------- */

static int port = -1;
static bool is_open; /* somebody has the other end */
static uint8_t wire[WIRE];
static size_t wire_count;

static void open_port(void)
{
    int other;
    char name[64];
    struct termios raw = {0};
    cfmakeraw(&raw);
    raw.c_cflag |= CREAD | CLOCAL;
    if (openpty(&port, &other, name, &raw, NULL) != 0) {
        fail("openpty");
    }
    close(other); /* so that the first to open it is seen */
    fcntl(port, F_SETFL, O_NONBLOCK);
    fcntl(port, F_SETFD, FD_CLOEXEC);
    is_open = false;
    if (link_path) {
        char fresh[4096];
        snprintf(fresh, sizeof fresh, "%s.new", link_path);
        unlink(fresh);
        if (symlink(name, fresh) != 0 || rename(fresh, link_path) != 0) {
            fail(link_path);
        }
    }
    printf("pty %s\n", name);
    fflush(stdout);
}

static void close_port(void)
{
    close(port);
    port = -1;
    wire_count = 0;
    if (link_path) {
        unlink(link_path);
    }
}

/* simavr's UART carries bytes at any speed. A wire does not: with a wrong one they arrive as others. */
static uint8_t carried(uint8_t byte)
{
    const int divisor = (avr->data[UBRR0_AT] | avr->data[UBRR0_AT + 1] << 8) + 1;
    const int samples = avr->data[UCSR0A_AT] & 1 << U2X_BIT ? 8 : 16;
    const double error = (double)CLOCK_HZ / samples / divisor / BAUD - 1;
    return error > -0.02 && error < 0.02 ? byte : (uint8_t)(byte << 1 ^ 0x55);
}

static avr_cycle_count_t wire_due(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    if (wire_count == 0) {
        return 0;
    }
    const uint8_t byte = carried(wire[0]);
    memmove(wire, wire + 1, --wire_count);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
    return a->cycle + BYTE_CYCLES;
}

static void start_wire(void)
{
    if (wire_count > 0 && avr_cycle_timer_status(avr, wire_due, NULL) == 0) {
        avr_cycle_timer_register(avr, BYTE_CYCLES, wire_due, NULL);
    }
}

static void read_port(short events)
{
    const bool was_open = is_open;
    is_open = !(events & POLLHUP);
    if (is_open && !was_open && resets_on_open) {
        wanted_reset = "dtr";
    }
    if (events & POLLIN) {
        const ssize_t got = read(port, &wire[wire_count], WIRE - wire_count);
        if (got > 0) {
            wire_count += (size_t)got;
            start_wire();
        }
    }
}

static void byte_sent(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    const uint8_t byte = carried((uint8_t)value);
    if (port >= 0 && is_open && write(port, &byte, 1) != 1 && errno != EAGAIN && errno != EIO) {
        fail("pty");
    }
}

/* --- Time --------------------------------------------------------------------------------- */

static struct timespec began;
static avr_cycle_count_t began_cycle;

static int64_t ns_until(avr_cycle_count_t cycle)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t gone = (now.tv_sec - began.tv_sec) * 1000000000LL + now.tv_nsec - began.tv_nsec;
    return (int64_t)((cycle - began_cycle) * (1000000000LL / CLOCK_HZ)) +
           (int64_t)((cycle - began_cycle) / 2) - gone; /* 62.5 ns a cycle */
}

static void listen_for(int64_t ns, avr_cycle_count_t leap)
{
    struct pollfd ends[2] = {
        {.fd = is_told_all ? -1 : STDIN_FILENO, .events = POLLIN},
        {.fd = port, .events = POLLIN},
    };
    /* A closed pty is always ready: it must not keep us from waiting. */
    const bool waits_for_port = port >= 0 && is_open;
    const struct timespec span = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    if (port >= 0 && !waits_for_port) {
        poll(&ends[1], 1, 0);
        read_port(ends[1].revents);
    }
    if (ppoll(ends, waits_for_port ? 2 : 1, &span, NULL) > 0) {
        if (waits_for_port && ends[1].revents) {
            read_port(ends[1].revents);
        }
        if (ends[0].revents) {
            read_script(leap);
        }
    }
}

static void sleeping(avr_t *a, avr_cycle_count_t cycles)
{
    const avr_cycle_count_t until = a->cycle + cycles;
    for (;;) {
        const int64_t left = is_fast ? 0 : ns_until(until);
        listen_for(left > 0 ? left : 0, cycles);
        if (left <= 0 || is_halted()) {
            return;
        }
    }
}

/* --- The board ---------------------------------------------------------------------------- */

static void led_changed(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    const bool is_lit = value & 1;
    if (is_lit != is_led_lit) {
        is_led_lit = is_lit;
        say("led %d", is_lit);
    }
}

/* An open input: some millivolts round the middle (splitmix64). */
static void noise_wanted(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value, (void)param;
    uint64_t z = chance += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    const uint32_t mv = 2200 + (uint32_t)((z ^ (z >> 31)) % 600);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC7), mv);
}

static void quiet(avr_t *a, const int level, const char *format, va_list words)
{
    (void)a;
    if (level <= LOG_ERROR) {
        vfprintf(stderr, format, words);
    }
}

/* What has to be said to simavr again when the chip has started. */
static void started(const char *why)
{
    /* D2 and D3 are INT0 and INT1 too, which simavr else looks at in every cycle while they are low. */
    avr_extint_set_strict_lvl_trig(avr, 0, 0);
    avr_extint_set_strict_lvl_trig(avr, 1, 0);
    led_changed(NULL, 0, NULL);
    restore_levels();
    start_wire();
    schedule();
    if (script_cycle > avr->cycle) {
        avr_cycle_timer_register(avr, script_cycle - avr->cycle, script_due, NULL);
    }
    say("reset %s", why);
}

static void hang(void)
{
    if (strcmp(wanted_hang, "timer") == 0) {
        avr->data[TIMSK1_AT] = 0;
    } else { /* `rjmp .-2`, the end of every program that ends */
        for (avr_flashaddr_t at = 0; at < avr->flashend; at += 2) {
            if (avr->flash[at] == 0xFF && avr->flash[at + 1] == 0xCF) {
                avr->pc = at;
                avr->state = cpu_Running;
                break;
            }
        }
    }
    wanted_hang = NULL;
    go_on();
}

static void keep_eeprom(bool is_load)
{
    static uint8_t bytes[EEPROM_SIZE];
    avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = EEPROM_SIZE};
    if (!eeprom_path) {
        return;
    }
    FILE *file = fopen(eeprom_path, is_load ? "rb" : "wb");
    if (!file && is_load) {
        return; /* a new board */
    }
    if (!file) {
        fail(eeprom_path);
    }
    if (is_load) {
        if (fread(bytes, 1, sizeof bytes, file) == sizeof bytes) {
            avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
        }
    } else {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
        fwrite(bytes, 1, sizeof bytes, file);
    }
    fclose(file);
}

static void build(const char *image)
{
    avr_global_logger_set(quiet);
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = CLOCK_HZ;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = sleeping;

    ihex_chunk_p chunks = NULL;
    const int count = read_ihex_chunks(image, &chunks);
    if (count <= 0) {
        fail(image);
    }
    for (int i = 0; i < count; i++) {
        avr_loadcode(avr, chunks[i].data, chunks[i].size, chunks[i].baseaddr);
    }
    free_ihex_chunks(chunks);

    uint32_t flags = 0; /* no text on the console, no sleeping of its own */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_sent, NULL);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), LED_PIN), led_changed, NULL);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), noise_wanted, NULL);
    keep_eeprom(true);
}

static void restart(const char *why)
{
    wanted_reset = NULL;
    avr_reset(avr);
    started(why);
    go_on();
}

static void change_cable(void)
{
    if (wants_unplug && is_plugged) {
        close_port();
        is_plugged = false;
        led_changed(NULL, 0, NULL);
    }
    wants_unplug = false;
    if (wants_plug && !is_plugged) {
        is_plugged = true;
        open_port();
        clock_gettime(CLOCK_MONOTONIC, &began);
        began_cycle = avr->cycle;
        wants_plug = false;
        restart("power");
    }
    wants_plug = false;
    go_on();
}

static void run(void)
{
    unsigned since_heard = 0;
    while (!is_over) {
        if (wants_plug || wants_unplug) {
            change_cable();
        }
        if (!is_plugged) {
            script_cycle = 0; /* the pad's time stands: nobody waits for it */
            listen_for(10000000, 0);
            go_on();
            continue;
        }
        if (wanted_reset) {
            restart(wanted_reset);
        }
        if (wanted_hang) {
            hang();
        }
        avr_run(avr);
        if (avr->pc == 0 && avr->state == cpu_Running) { /* it got there by no instruction */
            started(avr->data[MCUSR_AT] & 1 << WDRF_BIT ? "watchdog" : "jump");
        }
        if (avr->state == cpu_Done || avr->state == cpu_Crashed) {
            fail("the pad crashed");
        }
        if (++since_heard >= 8192) { /* a program that does not sleep is not deaf */
            since_heard = 0;
            const int64_t left = is_fast ? 0 : ns_until(avr->cycle);
            listen_for(left > 0 ? left : 0, 0);
        }
    }
}

int main(int count, char **words)
{
    const char *image = NULL;
    for (int i = 1; i < count; i++) {
        const bool has_value = i + 1 < count;
        if (strcmp(words[i], "--fast") == 0) {
            is_fast = true;
        } else if (strcmp(words[i], "--dtr") == 0) {
            resets_on_open = true;
        } else if (strcmp(words[i], "--link") == 0 && has_value) {
            link_path = words[++i];
        } else if (strcmp(words[i], "--eeprom") == 0 && has_value) {
            eeprom_path = words[++i];
        } else if (strcmp(words[i], "--noise") == 0 && has_value) {
            chance = strtoull(words[++i], NULL, 0);
        } else {
            image = words[i];
        }
    }
    if (!image) {
        fail("which image? pad_sim [--fast] [--dtr] [--link PATH] [--eeprom FILE] IMAGE.hex");
    }
    build(image);
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
    open_port();
    clock_gettime(CLOCK_MONOTONIC, &began);
    restart("power");
    run();
    keep_eeprom(false);
    if (port >= 0) {
        close_port();
    }
    return 0;
}
