#ifndef DECANT_CSQLITE_SHIM_H
#define DECANT_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Swift can't call C functions with variable arguments; each wrapper names the one effect we use. */
static inline int decant_sqlite3_set_config_flag(sqlite3 *db, int flag, int on) {
  return sqlite3_db_config(db, flag, on, (int *)0);
}

/* SQLITE_TRANSIENT is a cast macro and doesn't import. */
static inline int decant_sqlite3_bind_text_copy(sqlite3_stmt *s, int i, const char *text, int bytes) {
  return sqlite3_bind_text(s, i, text, bytes, SQLITE_TRANSIENT);
}

static inline int decant_sqlite3_bind_blob_copy(sqlite3_stmt *s, int i, const void *blob, int bytes) {
  return sqlite3_bind_blob(s, i, blob, bytes, SQLITE_TRANSIENT);
}

static inline void decant_sqlite3_result_blob_copy(sqlite3_context *c, const void *blob, int bytes) {
  sqlite3_result_blob(c, blob, bytes, SQLITE_TRANSIENT);
}

#endif
