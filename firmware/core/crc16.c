#include "crc16.h"

/* Bit by bit: a table would cost 512 bytes of flash and save 10 us per byte. */
uint16_t crc16_add(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)((uint16_t)byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000u) ? (uint16_t)((crc << 1) ^ 0x1021u) : (uint16_t)(crc << 1);
    }
    return crc;
}

uint16_t crc16(const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = CRC16_START;
    for (uint8_t i = 0; i < count; i++) {
        crc = crc16_add(crc, bytes[i]);
    }
    return crc;
}
