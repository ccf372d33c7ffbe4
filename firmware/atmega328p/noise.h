/* The noise of an open analogue input (A7: leave it open). */
#ifndef NOISE_H
#define NOISE_H

#include <stdint.h>

void noise_init(void);

/* One measurement; takes 104 us. Its lowest bits are noise. */
uint16_t noise_read(void);

#endif
