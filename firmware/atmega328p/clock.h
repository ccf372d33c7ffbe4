/* Timer 1: milliseconds, and within one the single cycle. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

void clock_init(void);

uint32_t clock_ms(void);

/* Whether a millisecond has begun since clock_take() last said so. */
bool clock_has_ticked(void);
bool clock_take(void);

#endif
