/* Counts how often a program takes memory, for ci/benchmark.
 *
 * It is preloaded, and when the program ends it writes the number to the file that ALLOCATIONS names. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The C library's own functions, by the names under which it offers them to such a library. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ulong allocations;

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocations++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("ALLOCATIONS");
  unsigned long counted = allocations;
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file) {
    fprintf(file, "%lu\n", counted);
    fclose(file);
  }
}
