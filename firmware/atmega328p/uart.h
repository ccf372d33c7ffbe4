/* UART0 at 57 600 baud, 8N1, by interrupt, with a ring each way. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_init(void);

/* Fetches a byte that has come; false if there is none. */
bool uart_receive(uint8_t *byte);

bool uart_has_received(void);

/* Sends all the bytes, or none if there is no room for all. */
void uart_send(const uint8_t *bytes, uint8_t count);

#endif
