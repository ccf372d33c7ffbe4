#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

_Static_assert(F_CPU % 1000 == 0 && F_CPU / 1000 <= 65536, "a millisecond is not a whole count");

static volatile uint32_t ms;
static volatile bool has_ticked;

void clock_init(void)
{
    OCR1A = F_CPU / 1000 - 1;
    TCCR1B = _BV(WGM12) | _BV(CS10); /* clear timer on compare, no prescaler */
    TIMSK1 = _BV(OCIE1A);
}

ISR(TIMER1_COMPA_vect)
{
    ms++;
    has_ticked = true;
}

uint32_t clock_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = ms;
    }
    return now;
}

bool clock_has_ticked(void)
{
    return has_ticked;
}

bool clock_take(void)
{
    bool taken;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        taken = has_ticked;
        has_ticked = false;
    }
    return taken;
}
