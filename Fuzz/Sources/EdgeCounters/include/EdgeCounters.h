#ifndef EDGE_COUNTERS_H
#define EDGE_COUNTERS_H

#include <stddef.h>

/// Adds the edges that were gone along since the last call to those that are known; returns how many are known now.
/// An edge is a way from one basic block to the next that the compiler counts under `-sanitize=fuzzer`.
size_t edges_note(void);

/// Forgets all edges that are known, and those that were gone along since the last note.
void edges_forget(void);

#endif
