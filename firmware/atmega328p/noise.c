#include "noise.h"

#include <avr/io.h>

void noise_init(void)
{
    ADMUX = _BV(REFS0) | 7; /* reference AVcc, input 7 */
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* 16 MHz / 128 = 125 kHz */
}

uint16_t noise_read(void)
{
    ADCSRA |= _BV(ADSC);
    while (ADCSRA & _BV(ADSC)) {
    }
    return ADC;
}
