/* Runs scripts under the sanitizers. Standard input: one script per line, in hexadecimal.
 * With `random COUNT SEED`: runs COUNT scripts of 4096 random bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "promises.h"

static uint8_t script[65536];

static uint64_t next(uint64_t *state) /* xorshift64 */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static unsigned long run_random(unsigned long count, uint64_t seed)
{
    unsigned long sent = 0;
    for (unsigned long i = 0; i < count; i++) {
        for (size_t at = 0; at < 4096; at++) {
            script[at] = (uint8_t)(next(&seed) >> 32);
        }
        sent += promises_hold(script, 4096);
    }
    return sent;
}

static unsigned long run_lines(unsigned long *count)
{
    static char line[2 * sizeof script + 2];
    unsigned long sent = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t length = 0;
        for (unsigned byte; sscanf(&line[2 * length], "%2x", &byte) == 1; length++) {
            script[length] = (uint8_t)byte;
        }
        sent += promises_hold(script, length);
        ++*count;
    }
    return sent;
}

int main(int count, char **words)
{
    unsigned long scripts = 0, sent;
    if (count == 4 && strcmp(words[1], "random") == 0) {
        scripts = strtoul(words[2], NULL, 0);
        sent = run_random(scripts, strtoull(words[3], NULL, 0));
    } else {
        sent = run_lines(&scripts);
    }
    printf("%lu scripts, %lu frames sent, no promise broken\n", scripts, sent);
    return 0;
}
