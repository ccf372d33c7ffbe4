/* A fuzzer (libFuzzer) over bytes, keys and time: see promises.h. */
#include "promises.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    promises_hold(bytes, count);
    return 0;
}
