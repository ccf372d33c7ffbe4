/* Timer 1: milliseconds, and the cycle within a millisecond. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

void clock_init(void);

uint32_t clock_ms(void);

/* Whether a new millisecond has started since clock_take() last returned true. */
bool clock_has_ticked(void);
bool clock_take(void);

#endif
