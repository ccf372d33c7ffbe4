/* Frames on the wire, PROTOCOL.md "Frames": how one is written, and how they are found in a stream. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAME_SYNC = 0x7E,
    FRAME_PAYLOAD_MAX = 16,
    FRAME_OVERHEAD = 6, /* sync, length, type, sequence, CRC (2) */
    FRAME_MAX = FRAME_OVERHEAD + FRAME_PAYLOAD_MAX,
    FRAME_TIMEOUT_MS = 100,
};

typedef struct {
    uint8_t type;
    uint8_t sequence;
    uint8_t length;
    uint8_t payload[FRAME_PAYLOAD_MAX];
} frame_t;

/* Writes the frame's bytes and returns how many. The length must be 16 at most. */
uint8_t frame_write(const frame_t *frame, uint8_t bytes[FRAME_MAX]);

/* The reader keeps what has come since the first sync: never more than one frame's bytes. */
typedef struct {
    uint8_t bytes[FRAME_MAX];
    uint8_t count;
    uint32_t last_byte_ms;
} frame_reader_t;

void frame_reader_init(frame_reader_t *reader);

/* Takes a byte. Every frame must be fetched with frame_reader_next() before the next byte is put. */
void frame_reader_put(frame_reader_t *reader, uint8_t byte, uint32_t now_ms);

/* Fetches a good frame, if there is one; call until it returns false (a damaged frame can hide three). */
bool frame_reader_next(frame_reader_t *reader, uint32_t now_ms, frame_t *frame);

#endif
