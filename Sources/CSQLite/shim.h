#pragma once
#include <sqlite3.h>

/* A cast that Swift cannot import: SQLite copies the bound bytes before the call returns. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
