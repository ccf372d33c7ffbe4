#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#define BAUD 57600UL

/* With U2X the clock is divided by 8 (datasheet 19.3.1). Rounded to the nearest. */
#define DIVISOR ((F_CPU + 4 * BAUD) / (8 * BAUD))
#define REAL_BAUD (F_CPU / (8 * DIVISOR))
#define BAUD_ERROR_PER_10000 \
    ((REAL_BAUD > BAUD ? REAL_BAUD - BAUD : BAUD - REAL_BAUD) * 10000 / BAUD)

_Static_assert(DIVISOR >= 1 && DIVISOR <= 4096, "this clock cannot make the baud rate");
_Static_assert(BAUD_ERROR_PER_10000 < 150, "the baud rate is off by 1.5 % or more");

/* One writer and one reader each, and one-byte indices: no lock is needed. The sizes divide 256.
 * 64 received bytes take 11 ms on the line, longer than the loop ever takes. 128 bytes hold all frames
 * that can be sent in one millisecond: REPORT, ALIVE, and answers to some HELLOs. */
enum {
    IN_SIZE = 64,
    OUT_SIZE = 128,
};

static volatile uint8_t in[IN_SIZE];
static volatile uint8_t in_head, in_tail;
static volatile uint8_t out[OUT_SIZE];
static volatile uint8_t out_head, out_tail;

void uart_init(void)
{
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = DIVISOR - 1;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect)
{
    const uint8_t byte = UDR0;
    if ((uint8_t)(in_head - in_tail) < IN_SIZE) { /* else the byte is lost: CRC error */
        in[in_head % IN_SIZE] = byte;
        in_head++;
    }
}

ISR(USART_UDRE_vect)
{
    if (out_head == out_tail) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = out[out_tail % OUT_SIZE];
    out_tail++;
}

bool uart_has_received(void)
{
    return in_head != in_tail;
}

bool uart_receive(uint8_t *byte)
{
    if (!uart_has_received()) {
        return false;
    }
    *byte = in[in_tail % IN_SIZE];
    in_tail++;
    return true;
}

void uart_send(const uint8_t *bytes, uint8_t count)
{
    if (count > (uint8_t)(OUT_SIZE - (uint8_t)(out_head - out_tail))) {
        return;
    }
    for (uint8_t i = 0; i < count; i++) {
        out[out_head % OUT_SIZE] = bytes[i];
        out_head++;
    }
    const uint8_t sreg = SREG;
    cli(); /* the interrupt handler changes the same register */
    UCSR0B |= _BV(UDRIE0);
    SREG = sreg;
}
