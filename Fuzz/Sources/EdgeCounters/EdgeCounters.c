// The compiler gives each edge an octet that counts, and calls what stands here (Clang, SanitizerCoverage,
// "Inline 8bit-counters"). libFuzzer has the same functions, so a program is linked with one of the two.

#include "EdgeCounters.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { module_limit = 16 };

/// The counters of a linked file: the program, and each shared library that counts.
static struct module {
  uint8_t *counters;
  uint8_t *known;
  size_t count;
} modules[module_limit];
static size_t module_count;
static size_t known_count;

/// Called before `main`, once for each object file, and each time with all counters of the linked file.
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
  size_t count = (size_t)(stop - start);
  for (size_t index = 0; index < module_count; index++) {
    if (modules[index].counters == start) return;
  }
  uint8_t *known = count == 0 || module_count == module_limit ? NULL : calloc(count, 1);
  if (known == NULL) return;
  modules[module_count++] = (struct module){start, known, count};
}

size_t edges_note(void) {
  for (size_t index = 0; index < module_count; index++) {
    struct module *module = &modules[index];
    for (size_t edge = 0; edge < module->count; edge++) {
      if (module->counters[edge] == 0) continue;
      module->counters[edge] = 0;
      known_count += module->known[edge] == 0;
      module->known[edge] = 1;
    }
  }
  return known_count;
}

void edges_forget(void) {
  for (size_t index = 0; index < module_count; index++) {
    memset(modules[index].counters, 0, modules[index].count);
    memset(modules[index].known, 0, modules[index].count);
  }
  known_count = 0;
}

// What else the compiler uses serves to guide, which a fixed run does not.
__thread uintptr_t __sancov_lowest_stack;
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }
void __sanitizer_cov_trace_pc_indir(uintptr_t callee) { (void)callee; }
void __sanitizer_cov_trace_cmp1(uint8_t one, uint8_t other) { (void)one, (void)other; }
void __sanitizer_cov_trace_cmp2(uint16_t one, uint16_t other) { (void)one, (void)other; }
void __sanitizer_cov_trace_cmp4(uint32_t one, uint32_t other) { (void)one, (void)other; }
void __sanitizer_cov_trace_cmp8(uint64_t one, uint64_t other) { (void)one, (void)other; }
void __sanitizer_cov_trace_const_cmp1(uint8_t one, uint8_t other) { (void)one, (void)other; }
void __sanitizer_cov_trace_const_cmp2(uint16_t one, uint16_t other) { (void)one, (void)other; }
void __sanitizer_cov_trace_const_cmp4(uint32_t one, uint32_t other) { (void)one, (void)other; }
void __sanitizer_cov_trace_const_cmp8(uint64_t one, uint64_t other) { (void)one, (void)other; }
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) { (void)value, (void)cases; }
