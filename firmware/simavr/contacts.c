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
#include "contacts.h"

#include <string.h>

#include <simavr/avr_ioport.h>

#include "chip.h"

enum {
    EDGES = 4096,
    PORTD_AT = 0x2B, /* in data space */
};

typedef struct {
    avr_cycle_count_t when;
    int contact;
    int level;
} edge_t;

static int levels[CONTACTS] = {1, 1, 1, 1, 1};
static edge_t edges[EDGES]; /* pending edges, the next one first */
static int edge_count;

/* A closed contact is low. An open one is high if the program has enabled the pull-up, else low. */
void contacts_set(int contact, int level)
{
    levels[contact] = level;
    avr_ioport_external_t closed = {.name = 'D', .value = 0};
    for (int i = 0; i < CONTACTS; i++) {
        closed.mask |= (unsigned)!levels[i] << (CONTACTS_FIRST_PIN + i);
    }
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &closed);
    const int pin = CONTACTS_FIRST_PIN + contact;
    const int pull_up = avr->data[PORTD_AT] >> pin & 1;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), pin), level && pull_up);
}

void contacts_restore(void)
{
    for (int contact = 0; contact < CONTACTS; contact++) {
        contacts_set(contact, levels[contact]);
    }
}

static void add_edge(avr_cycle_count_t when, int contact, int level)
{
    if (edge_count == EDGES) {
        fail("too many edges at once");
    }
    int at = edge_count++;
    for (; at > 0 && edges[at - 1].when > when; at--) {
        edges[at] = edges[at - 1];
    }
    edges[at] = (edge_t){when, contact, level};
}

void contacts_bounce(int contact, int count, double us, bool is_press)
{
    const int last = !is_press;
    for (int i = 0; i <= 2 * count; i++) {
        add_edge(avr->cycle + chip_cycles_of_us(us * i), contact, i % 2 ? !last : last);
    }
}

void contacts_glitch(int contact, double us)
{
    add_edge(avr->cycle, contact, 0);
    add_edge(avr->cycle + chip_cycles_of_us(us), contact, 1);
}

static avr_cycle_count_t edges_due(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    while (edge_count > 0 && edges[0].when <= a->cycle) {
        const edge_t edge = edges[0];
        memmove(&edges[0], &edges[1], sizeof edges[0] * (size_t)--edge_count);
        contacts_set(edge.contact, edge.level);
    }
    return edge_count > 0 ? edges[0].when : 0;
}

void contacts_schedule(void)
{
    if (edge_count > 0) {
        const avr_cycle_count_t when = edges[0].when;
        avr_cycle_timer_register(avr, when > avr->cycle ? when - avr->cycle : 1, edges_due, NULL);
    }
}
