/* Frames (PROTOCOL.md, "Frames"): writing them, and finding them in a stream of bytes. */
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

/* Writes the bytes of a frame and returns their number. The length must be at most 16. */
uint8_t frame_write(const frame_t *frame, uint8_t bytes[FRAME_MAX]);

/* The reader buffers the bytes since the first sync: at most one frame. */
typedef struct {
    uint8_t bytes[FRAME_MAX];
    uint8_t count;
    uint32_t last_byte_ms;
} frame_reader_t;

void frame_reader_init(frame_reader_t *reader);

/* Adds a byte. Fetch all frames with frame_reader_next() before adding the next byte. */
void frame_reader_put(frame_reader_t *reader, uint8_t byte, uint32_t now_ms);

/* Fetches a valid frame. Call until it returns false: a damaged frame can contain three others. */
bool frame_reader_next(frame_reader_t *reader, uint32_t now_ms, frame_t *frame);

#endif
