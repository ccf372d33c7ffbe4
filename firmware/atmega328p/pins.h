/* The Nano's pins: keys 1 to 4 on D2 to D5 and ROLL on D6, to GND; the LED on D13. */
#ifndef PINS_H
#define PINS_H

#include <stdbool.h>
#include <stdint.h>

void pins_init(void);

/* The closed contacts; bit 0 is key 1. */
uint8_t pins_keys(void);

void pins_led(bool is_lit);

/* The mixed times of contact changes, in cycles of the millisecond. False if no contact has changed
 * since the last call. */
bool pins_edges(uint16_t *times);

#endif
