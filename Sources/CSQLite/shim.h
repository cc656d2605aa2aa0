#pragma once
#include <sqlite3.h>

/* Casts that Swift cannot import. SQLite copies the bound bytes before the call returns, or reads them where they stand. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
static inline sqlite3_destructor_type csqlite_static(void) { return SQLITE_STATIC; }
