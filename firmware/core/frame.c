#include "frame.h"

#include <string.h>

#include "crc16.h"

uint8_t frame_write(const frame_t *frame, uint8_t bytes[FRAME_MAX])
{
    const uint8_t length = frame->length;
    bytes[0] = FRAME_SYNC;
    bytes[1] = length;
    bytes[2] = frame->type;
    bytes[3] = frame->sequence;
    memcpy(&bytes[4], frame->payload, length);
    const uint16_t crc = crc16(&bytes[1], (uint8_t)(3 + length));
    bytes[4 + length] = (uint8_t)crc;
    bytes[5 + length] = (uint8_t)(crc >> 8);
    return (uint8_t)(FRAME_OVERHEAD + length);
}

void frame_reader_init(frame_reader_t *reader)
{
    memset(reader, 0, sizeof *reader);
}

void frame_reader_put(frame_reader_t *reader, uint8_t byte, uint32_t now_ms)
{
    if (reader->count == 0 && byte != FRAME_SYNC) {
        return;
    }
    if (reader->count == FRAME_MAX) { /* frames were not fetched: drop the byte */
        return;
    }
    reader->bytes[reader->count++] = byte;
    reader->last_byte_ms = now_ms;
}

/* Drops the first `count` bytes, and all others before the next sync. */
static void drop(frame_reader_t *reader, uint8_t count)
{
    while (count < reader->count && reader->bytes[count] != FRAME_SYNC) {
        count++;
    }
    reader->count = (uint8_t)(reader->count - count);
    memmove(reader->bytes, &reader->bytes[count], reader->count);
}

bool frame_reader_next(frame_reader_t *reader, uint32_t now_ms, frame_t *frame)
{
    const uint8_t *bytes = reader->bytes;
    const bool is_late = now_ms - reader->last_byte_ms >= FRAME_TIMEOUT_MS;

    while (reader->count > 0) {
        const bool has_length = reader->count >= 2;
        if (has_length && bytes[1] > FRAME_PAYLOAD_MAX) {
            drop(reader, 1);
            continue;
        }
        const uint8_t length = has_length ? bytes[1] : 0;
        const uint8_t whole = (uint8_t)(FRAME_OVERHEAD + length);
        if (reader->count < whole) {
            if (!is_late) {
                return false;
            }
            drop(reader, 1);
            continue;
        }
        const uint16_t crc = (uint16_t)(bytes[whole - 2] | (uint16_t)bytes[whole - 1] << 8);
        if (crc16(&bytes[1], (uint8_t)(3 + length)) != crc) {
            drop(reader, 1);
            continue;
        }
        frame->length = length;
        frame->type = bytes[2];
        frame->sequence = bytes[3];
        memcpy(frame->payload, &bytes[4], length);
        drop(reader, whole);
        return true;
    }
    return false;
}
