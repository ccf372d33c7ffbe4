/* A pad that is fed a script, and what must hold whatever it is fed. For the sanitizers and the fuzzer.
 *
 * The script is bytes: an operation and what it needs.
 *   0..3  B     B comes on the wire
 *   4     N ... the next N bytes (at most 63) come on the wire
 *   5     B     the contacts are B
 *   6     B     B + 1 milliseconds pass, one by one
 *   7     B     time leaps by B << 24 milliseconds: the clock wraps
 *   8     B     a good frame: HELLO of session B
 *   9     B     a good frame: ACK of the number B, in the session the pad has
 *   10    B     a good frame: STATE with mode, flash and count out of B
 *   11    B     chance
 */
#ifndef PROMISES_H
#define PROMISES_H

#include <stddef.h>
#include <stdint.h>

/* Aborts with a word of what was broken. Returns how many frames the pad sent. */
unsigned promises_hold(const uint8_t *script, size_t length);

#endif
