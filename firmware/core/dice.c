#include "dice.h"

void dice_init(dice_t *dice)
{
    dice->state = 0x853C49E6748FEA9Bu; /* as in the reference implementation */
}

uint32_t dice_next(dice_t *dice)
{
    const uint64_t old = dice->state;
    dice->state = old * 6364136223846793005u + 0xDA3E39CB94B95BDBu;
    const uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    const uint8_t turn = (uint8_t)(old >> 59);
    return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

void dice_stir(dice_t *dice, uint32_t value)
{
    dice->state ^= value;
    (void)dice_next(dice); /* the multiplication carries each bit to the upper bits, which are used */
}

uint8_t dice_roll(dice_t *dice)
{
    static const uint8_t faces[6] = {1, 2, 2, 3, 3, 4};
    uint8_t face;
    do { /* rejection sampling: a remainder would favour some faces */
        face = (uint8_t)(dice_next(dice) >> 29);
    } while (face >= sizeof faces);
    return faces[face];
}
