/* CRC-16/CCITT-FALSE: polynomial 1021, start FFFF, no reflection, no final XOR. */
#ifndef CRC16_H
#define CRC16_H

#include <stdint.h>

#define CRC16_START 0xFFFFu

/* The CRC with one more byte. */
uint16_t crc16_add(uint16_t crc, uint8_t byte);

uint16_t crc16(const uint8_t *bytes, uint8_t count);

#endif
