/* Runs a pad with a script, and checks its invariants. For the sanitizers and the fuzzer.
 *
 * The script is a sequence of bytes: an operation and its arguments.
 *   0..3  B     the pad receives byte B
 *   4     N ... the pad receives the next N bytes (at most 63)
 *   5     B     the contacts become B
 *   6     B     B + 1 milliseconds pass, one by one
 *   7     B     time jumps by B << 24 milliseconds: the clock wraps
 *   8     B     a valid frame: HELLO of session B
 *   9     B     a valid frame: ACK of number B, in the session of the pad
 *   10    B     a valid frame: STATE with mode, flash and count from B
 *   11    B     entropy
 */
#ifndef PROMISES_H
#define PROMISES_H

#include <stddef.h>
#include <stdint.h>

/* Aborts with a message if an invariant is violated. Returns the number of frames that the pad sent. */
unsigned promises_hold(const uint8_t *script, size_t length);

#endif
