/* The electronic die: the generator PCG32 (Melissa O'Neill, pcg-random.org: 64 bits of state, XSH RR),
 * seeded with entropy from outside (noise, the time of key presses). */
#ifndef DICE_H
#define DICE_H

#include <stdint.h>

typedef struct {
    uint64_t state;
} dice_t;

void dice_init(dice_t *dice);

/* Mixes entropy into the state. The mixing is reversible, so a predictable value does not reduce the
 * entropy that is already there. */
void dice_stir(dice_t *dice, uint32_t value);

/* The next 32 bits of the generator. */
uint32_t dice_next(dice_t *dice);

/* A roll of the die with the faces 1, 2, 2, 3, 3, 4, each equally likely. */
uint8_t dice_roll(dice_t *dice);

#endif
