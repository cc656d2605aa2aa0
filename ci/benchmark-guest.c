// What Sources/dictobench-benchmark/BenchmarkGuest.swift holds as words: the mix of work that a recorder's firmware does.
//
//   arm-none-eabi-gcc -Os -mcpu=cortex-m4 -mthumb -nostdlib -ffreestanding -fno-tree-loop-distribute-patterns \
//     -Wl,--section-start=.vectors=0,-Ttext=8,-Tbss=0x20000000,--build-id=none -o guest.elf ci/benchmark-guest.c
//   arm-none-eabi-objcopy -O binary -j .vectors -j .text -j .rodata guest.elf guest.bin
#include <stdint.h>

#define APART __attribute__((noinline))

struct node {
  struct node *next;
  uint32_t key, value;
};

static uint8_t text[512], encoded[128];
static uint32_t table[256], result;
static int16_t samples[256];
static struct node pool[64], *heads[16];

APART static uint32_t checksum_bitwise(const uint8_t *from, uint32_t count) {
  uint32_t crc = ~0u;
  while (count--) {
    crc ^= *from++;
    for (int i = 0; i < 8; i++) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
  }
  return ~crc;
}

APART static uint32_t checksum(const uint8_t *from, uint32_t count) {
  uint32_t crc = ~0u;
  while (count--) crc = table[(crc ^ *from++) & 255] ^ crc >> 8;
  return ~crc;
}

APART static int format(uint8_t *to, uint32_t value, uint32_t base) {
  uint8_t digits[12];
  int count = 0, length = 0;
  do {
    uint32_t digit = value % base;
    digits[count++] = digit < 10 ? '0' + digit : 'a' + digit - 10;
    value /= base;
  } while (value);
  while (count) to[length++] = digits[--count];
  return length;
}

APART static void insert(uint32_t key, uint32_t value) {
  struct node *node = &pool[key & 63], **head = &heads[key & 15];
  for (struct node *other = *head; other; other = other->next)
    if (other == node) {
      node->value += value;
      return;
    }
  *node = (struct node){*head, key, value};
  *head = node;
}

static const int16_t steps[16] = {7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31};

APART static void encode(const int16_t *from, uint8_t *to, int count) {
  int expected = 0, index = 0;
  for (int i = 0; i < count; i++) {
    int step = steps[index] << 4, difference = from[i] - expected;
    uint8_t code = 0;
    if (difference < 0) code = 8, difference = -difference;
    if (difference >= step) code |= 4, difference -= step;
    if (difference >= step >> 1) code |= 2, difference -= step >> 1;
    if (difference >= step >> 2) code |= 1;
    int change = (step >> 3) + (code & 4 ? step : 0) + (code & 2 ? step >> 1 : 0) + (code & 1 ? step >> 2 : 0);
    expected += code & 8 ? -change : change;
    if (expected > 32767) expected = 32767;
    if (expected < -32768) expected = -32768;
    index += code & 4 ? (code & 7) - 3 : -1;
    if (index < 0) index = 0;
    if (index > 15) index = 15;
    to[i >> 1] = i & 1 ? to[i >> 1] | code << 4 : code;
  }
}

APART static void copy(uint8_t *to, const uint8_t *from, uint32_t count) {
  while (count--) *to++ = *from++;
}

APART static uint32_t triple(uint32_t x) { return x * 3 + 1; }
APART static uint32_t fold(uint32_t x) { return x >> 1 ^ x; }
APART static uint32_t swap(uint32_t x) { return __builtin_bswap32(x); }
APART static uint32_t choose(uint32_t x) {
  switch (x & 7) {
    case 0: return x + 1;
    case 1: return x - 9;
    case 2: return x * 7;
    case 3: return ~x;
    case 4: return x << 3;
    case 5: return x ^ 0x55;
    case 6: return x | 1;
    default: return x & 0xFFFF;
  }
}

static uint32_t (*const handlers[4])(uint32_t) = {triple, fold, swap, choose};

static void run(void) {
  uint32_t x = 12345;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    table[i] = crc;
  }
  for (;;) {
    for (int i = 0; i < 256; i++) {
      x = x * 1664525 + 1013904223;
      samples[i] = x >> 18;
    }
    encode(samples, encoded, 256);
    uint32_t length = 0;
    for (int i = 0; i < 16; i++) length += format(text + length, x + i * 77777, i & 1 ? 10 : 16);
    for (int i = 0; i < 64; i++) insert(x >> (i & 15), i);
    for (int i = 0; i < 200; i++) x = handlers[i & 3](x);
    copy(text + 256, text, 100);
    result ^= checksum_bitwise(text, 32) ^ checksum(text, length) ^ checksum(encoded, 128);
  }
}

__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {(void (*)(void))0x20004000, run};
