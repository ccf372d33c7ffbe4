/* UART0 at 57 600 baud, 8N1, interrupt-driven, with a ring buffer in each direction. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_init(void);

/* Fetches a received byte. False if there is none. */
bool uart_receive(uint8_t *byte);

bool uart_has_received(void);

/* Sends all bytes, or none if the buffer has too little space. */
void uart_send(const uint8_t *bytes, uint8_t count);

#endif
