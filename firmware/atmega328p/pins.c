#include "pins.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

/* D2 to D6 are PD2 to PD6, and PCINT18 to PCINT22; D13 is PB5. */
#define KEYS (_BV(PD2) | _BV(PD3) | _BV(PD4) | _BV(PD5) | _BV(PD6))
#define LED _BV(PB5)

static volatile uint16_t edges;
static volatile bool has_edges;

void pins_init(void)
{
    PORTD |= KEYS; /* pull-ups */
    DDRB |= LED;
    PCMSK2 = KEYS;
    PCICR = _BV(PCIE2);
}

uint8_t pins_keys(void)
{
    return (uint8_t)((uint8_t)(~PIND & KEYS) >> PD2);
}

void pins_led(bool is_lit)
{
    if (is_lit) {
        PORTB |= LED;
    } else {
        PORTB &= (uint8_t)~LED;
    }
}

/* The timer value at each edge is entropy for the die. Debouncing does not use the edges: it reads the
 * contacts every millisecond. */
ISR(PCINT2_vect)
{
    edges = (uint16_t)((uint16_t)(edges << 5 | edges >> 11) ^ TCNT1);
    has_edges = true;
}

bool pins_edges(uint16_t *times)
{
    bool has;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        has = has_edges;
        has_edges = false;
        *times = edges;
    }
    return has;
}
