/* The electronic die. Chance comes from outside (noise, the time of keys) and is stirred in; between
 * that, PCG32 goes on by itself (Melissa O'Neill, pcg-random.org: 64 bits of state, XSH RR). */
#ifndef DICE_H
#define DICE_H

#include <stdint.h>

typedef struct {
    uint64_t state;
} dice_t;

void dice_init(dice_t *dice);

/* Takes any number: the more nobody knows of it, the better. What was there before is not lost: each
 * step can be undone, so a number that is no chance at all does no harm. */
void dice_stir(dice_t *dice, uint32_t value);

/* The next 32 bits of the generator. */
uint32_t dice_next(dice_t *dice);

/* What the wooden die shows: 1, 2, 2, 3, 3 or 4, each face with the same chance. */
uint8_t dice_roll(dice_t *dice);

#endif
