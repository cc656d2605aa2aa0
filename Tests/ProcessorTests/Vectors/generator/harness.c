/* Executes cases under qemu-arm in user mode: records of 32 octets come in, vectors as VectorFile.swift reads them go out.
   The inputs of a case follow from its seed, here and there by the same arithmetic. */
#include <stdint.h>
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32;

struct record { u32 seed; u16 code[4]; u8 halfwords, flags; u16 form; u8 count, reg[3]; u32 value[3]; };
struct context { u32 r[15], apsr, fpscr, s[32], target; };
extern void run_case(struct context *); extern char come_back[];
enum { CODE = 0x10000000, DATA = 0x20000000, WINDOW = 0x100, STRIDE = 32, FLOATS = 1, MEMORY = 2 };

void *memcpy(void *to, const void *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) ((volatile u8 *)to)[i] = ((const u8 *)from)[i];
  return to;
}
static long call(long n, long a, long b, long c, long d, long e, long f) {
  register long r7 asm("r7") = n, r0 asm("r0") = a, r1 asm("r1") = b, r2 asm("r2") = c, r3 asm("r3") = d, r4 asm("r4") = e,
    r5 asm("r5") = f;
  asm volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5) : "memory");
  return r0;
}
static u8 out[1 << 16]; static u32 used;
static void flush(void) { for (u32 i = 0; i < used;) i += call(4, 1, (long)(out + i), used - i, 0, 0, 0); used = 0; }
static void put(u32 v, int octets) { for (int i = 0; i < octets; i++) out[used++] = v >> 8 * i; }
static long fill(void *p, long n) {
  long done = 0;
  while (done < n) { long r = call(3, 0, (long)((u8 *)p + done), n - done, 0, 0, 0); if (r <= 0) break; done += r; }
  return done;
}

static u32 state;
static u32 draw(void) {
  u32 z = state += 0x9E3779B9; z ^= z >> 16; z *= 0x85EBCA6B; z ^= z >> 13; z *= 0xC2B2AE35; return z ^ z >> 16;
}
static const u32 words[16] = { 0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x80000001, 0x8000, 0x7FFF, 0xFFFF,
  0x10000, 0xFFFF8000, 0x40000000, 0x55555555, 0xAAAAAAAA };
static const u32 halves[8] = { 0, 1, 0x7FFF, 0x8000, 0xFFFF, 0xFFFE, 0x4000, 0x8001 };
static const u32 octets[8] = { 0, 1, 0x7F, 0x80, 0xFF, 0xFE, 0x40, 0x81 };
static const u32 floats[16] = { 0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FA00001, 0xFFC12345, 0xFF800001,
  0x3F800000, 0xBF800000, 0x7F7FFFFF, 0xFF7FFFFF, 1, 0x807FFFFF, 0x00800000, 0x3FC00000 };
static u32 word(void) {
  u32 k = draw() & 7, v = draw();
  switch (k) {
  case 3: return words[v & 15];
  case 4: return v & 0x3F;
  case 5: return halves[v & 7] << 16 | halves[v >> 3 & 7];
  case 6: return octets[v & 7] << 24 | octets[v >> 3 & 7] << 16 | octets[v >> 6 & 7] << 8 | octets[v >> 9 & 7];
  case 7: return ~(v & 0x3F);
  default: return v;
  }
}
static u32 number(void) {
  u32 k = draw() & 7, v = draw();
  switch (k) {
  case 0: return floats[v & 15];
  case 1: return v;
  case 4: return v & 0x807FFFFF;
  case 5: return (v & 0x807FFFFF) | (127 + (v >> 23 & 0xFF) % 36) << 23;
  case 6: return (v & 0x807FFFFF) | (v & 0x800000 ? 254 - (v >> 24 & 3) : 1 + (v >> 24 & 31)) << 23;
  case 7: return (v & 0x80700000) | (120 + (v >> 23 & 0xFF) % 14) << 23;
  default: return (v & 0x807FFFFF) | (110 + (v >> 23 & 0xFF) % 34) << 23;
  }
}
static void prepare(const struct record *q, struct context *c, u32 *window) {
  state = q->seed;
  for (int i = 0; i < 15; i++) c->r[i] = i == 13 ? DATA + WINDOW + 64 : word();
  c->apsr = draw() & 0xF80F0000;
  for (int i = 0; i < 32; i++) window[i] = word();
  for (int i = 0; i < 32; i++) c->s[i] = q->flags & FLOATS ? number() : 0;
  u32 mode = draw(); c->fpscr = 0;
  if (q->flags & FLOATS) {
    c->fpscr = mode & 0xF000009F;
    if (mode >> 8 & 1) c->fpscr |= mode & 0x07C00000; else if (mode >> 9 & 1) c->fpscr |= 0x10;
  }
  for (int i = 0; i < q->count; i++) c->r[q->reg[i]] = q->value[i];
}
static void report(const struct record *q, const struct context *old, const struct context *new, const u32 *before,
  const u32 *after) {
  put(q->seed, 4); put(q->halfwords | q->flags << 4, 1); put(q->count, 1); put(q->form, 2);
  for (int i = 0; i < q->halfwords; i++) put(q->code[i], 2);
  for (int i = 0; i < q->count; i++) { put(q->reg[i], 1); put(q->value[i], 4); }
  u32 mask = 0; for (int i = 0; i < 15; i++) if (old->r[i] != new->r[i]) mask |= 1u << i;
  put(mask, 2); for (int i = 0; i < 15; i++) if (mask >> i & 1) put(new->r[i], 4);
  put(new->apsr >> 16 & 0xF80F, 2);
  if (q->flags & FLOATS) {
    put(new->fpscr & 0xF7C0009F, 4);
    mask = 0; for (int i = 0; i < 32; i++) if (old->s[i] != new->s[i]) mask |= 1u << i;
    put(mask, 4); for (int i = 0; i < 32; i++) if (mask >> i & 1) put(new->s[i], 4);
  }
  if (q->flags & MEMORY) {
    mask = 0; for (int i = 0; i < 32; i++) if (before[i] != after[i]) mask |= 1u << i;
    put(mask, 4); for (int i = 0; i < 32; i++) if (mask >> i & 1) put(after[i], 4);
  }
}
void start(void) {
  u32 total; fill(&total, 4); put(total, 4);
  struct record *q = (void *)call(192, 0, total * sizeof *q + 4096, 3, 0x22, -1, 0);
  fill(q, total * sizeof *q);
  u8 *code = (void *)call(192, CODE, total * STRIDE + 4096, 7, 0x32, -1, 0);
  u32 *window = (void *)(call(192, DATA, 4096, 3, 0x32, -1, 0) + WINDOW);
  for (u32 i = 0; i < total; i++) {
    u16 *p = (u16 *)(code + i * STRIDE); int n = q[i].halfwords;
    for (int k = 0; k < n; k++) p[k] = q[i].code[k];
    if (n & 1) p[n++] = 0xBF00;
    p[n++] = 0xF8DF; p[n++] = 0xF000; /* ldr pc, [pc, #0] */
    p[n++] = (u32)come_back; p[n] = (u32)come_back >> 16;
  }
  static struct context old, new; static u32 before[32];
  for (u32 i = 0; i < total; i++) {
    prepare(&q[i], &old, before);
    for (int k = 0; k < 32; k++) window[k] = before[k];
    new = old; new.target = (CODE + i * STRIDE) | 1;
    run_case(&new);
    report(&q[i], &old, &new, before, window);
    if (used > sizeof out - 1024) flush();
  }
  flush(); call(1, 0, 0, 0, 0, 0, 0);
}
