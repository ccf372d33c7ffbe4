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
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <termios.h>
#include <unistd.h>

#include <simavr/avr_uart.h>

#include "board.h"
#include "chip.h"

enum {
    BYTE_BITS_AND_GAP = 108, /* tenths of a bit: 10 bits, and a small gap */
    UCSR0A_AT = 0xC0,   /* in data space */
    UBRR0_AT = 0xC4,
    U2X_BIT = 1,
    WIRE = 65536,
};

static const char *link_path;
static bool resets_on_open;
static int port = -1;
static int watch = -1;  /* inotify, which tells who opens and closes the other end */
static int hosts_count; /* how many times the other end is open */
static uint8_t wire[WIRE]; /* bytes from the host, not yet received */
static size_t wire_count;

int wire_port(void)
{
    return port;
}

int wire_watch(void)
{
    return watch;
}

bool wire_is_open(void)
{
    return hosts_count > 0;
}

static void set_link(const char *name)
{
    char fresh[4096];
    snprintf(fresh, sizeof fresh, "%s.new", link_path);
    unlink(fresh);
    if (symlink(name, fresh) != 0 || rename(fresh, link_path) != 0) {
        fail(link_path);
    }
}

void wire_open(void)
{
    int other;
    char name[64];
    struct termios raw = {0};
    cfmakeraw(&raw);
    raw.c_cflag |= CREAD | CLOCAL;
    cfsetspeed(&raw, B57600); /* for hosts that set none */
    if (openpty(&port, &other, name, &raw, NULL) != 0) {
        fail("openpty");
    }
    close(other); /* so that the first opening is detected */
    fcntl(port, F_SETFL, O_NONBLOCK);
    fcntl(port, F_SETFD, FD_CLOEXEC);
    /* A pty has no DTR, and poll() misses a host that closes the port and opens it at once. */
    watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch < 0 || inotify_add_watch(watch, name, IN_OPEN | IN_CLOSE) < 0) {
        fail("inotify");
    }
    hosts_count = 0;
    if (link_path) {
        set_link(name);
    }
    printf("pty %s\n", name);
    fflush(stdout);
}

void wire_close(void)
{
    if (port < 0) {
        return;
    }
    close(watch);
    close(port);
    port = watch = -1;
    hosts_count = 0;
    wire_count = 0;
    if (link_path) {
        unlink(link_path);
    }
}

/* The speed that the host has set. The termios of our end are those of the other end. */
static int host_baud(void)
{
    struct termios host = {0};
    tcgetattr(port, &host);
    switch (cfgetospeed(&host)) {
    case B9600:
        return 9600;
    case B19200:
        return 19200;
    case B38400:
        return 38400;
    case B115200:
        return 115200;
    default:
        return 57600;
    }
}

/* simavr's UART accepts any speed. A real line does not: at a wrong speed the bytes are garbage. */
static uint8_t carried(uint8_t byte)
{
    const int divisor = (avr->data[UBRR0_AT] | avr->data[UBRR0_AT + 1] << 8) + 1;
    const int samples = avr->data[UCSR0A_AT] & 1 << U2X_BIT ? 8 : 16;
    const double error = (double)CHIP_HZ / samples / divisor / host_baud() - 1;
    return error > -0.025 && error < 0.025 ? byte : (uint8_t)(byte << 1 ^ 0x55);
}

static avr_cycle_count_t byte_cycles(void)
{
    return (avr_cycle_count_t)(CHIP_HZ / 10) * BYTE_BITS_AND_GAP / host_baud();
}

static avr_cycle_count_t byte_due(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    if (wire_count == 0) {
        return 0;
    }
    const uint8_t byte = carried(wire[0]);
    memmove(wire, wire + 1, --wire_count);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
    return a->cycle + byte_cycles();
}

void wire_schedule(void)
{
    if (wire_count > 0 && avr_cycle_timer_status(avr, byte_due, NULL) == 0) {
        avr_cycle_timer_register(avr, byte_cycles(), byte_due, NULL);
    }
}

void wire_read_watch(void)
{
    struct inotify_event events[64]; /* without names: one file is watched */
    ssize_t size;
    while ((size = read(watch, events, sizeof events)) > 0) {
        for (size_t i = 0; i < (size_t)size / sizeof events[0]; i++) {
            if (!(events[i].mask & IN_OPEN)) {
                hosts_count--;
            } else if (++hosts_count == 1 && resets_on_open) {
                board_want_reset("dtr");
            }
        }
    }
}

void wire_read(short events)
{
    if (events & POLLIN) {
        const ssize_t got = read(port, &wire[wire_count], WIRE - wire_count);
        if (got > 0) {
            wire_count += (size_t)got;
            wire_schedule();
        }
    }
}

/* Without a reader bytes are lost, as on a real line. */
static void byte_sent(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    const uint8_t byte = carried((uint8_t)value);
    if (port >= 0 && wire_is_open() && write(port, &byte, 1) != 1 && errno != EAGAIN && errno != EIO) {
        fail("pty");
    }
}

void wire_init(const char *path, bool is_nano)
{
    link_path = path;
    resets_on_open = is_nano;
    uint32_t flags = 0; /* no text on the console, no sleeping in simavr */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_sent, NULL);
}
