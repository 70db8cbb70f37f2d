#ifndef DECANT_CSQLITE_SHIM_H
#define DECANT_CSQLITE_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sqlite3.h>
#include <string.h>

/* A GNU extension, which the C library's module doesn't show to Swift. */
static inline const void *decant_memmem(const void *text, size_t bytes, const void *part, size_t partBytes) {
  return memmem(text, bytes, part, partBytes);
}

/* Swift can't call C functions with variable arguments; each wrapper names the one effect we use. */
static inline int decant_sqlite3_set_config_flag(sqlite3 *db, int flag, int on) {
  return sqlite3_db_config(db, flag, on, (int *)0);
}

/* Only before the first connection of the process; later it changes nothing. */
static inline void decant_sqlite3_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

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

static inline void decant_sqlite3_result_text_copy(sqlite3_context *c, const char *text, int bytes) {
  sqlite3_result_text(c, text, bytes, SQLITE_TRANSIENT);
}

/* Writes the file behind a database in memory anew, past SQLite's pager; only between transactions. */
static inline int decant_sqlite3_replace_content(
    sqlite3 *db, const char *schema, const void *bytes, sqlite3_int64 count) {
  if (sqlite3_txn_state(db, schema) != SQLITE_TXN_NONE) return SQLITE_BUSY;
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(db, schema, SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods || count > 0x7fffffff) return SQLITE_MISUSE;
  code = file->pMethods->xTruncate(file, 0);
  return code == SQLITE_OK ? file->pMethods->xWrite(file, bytes, (int)count, 0) : code;
}

/* The variable is SQLite's own; SQLite reads it under this lock and frees it with sqlite3_free. */
static inline void decant_sqlite3_put_temporaries(const char *folder) {
  sqlite3_initialize();
  sqlite3_mutex *lock = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS1);
  char *copy = sqlite3_mprintf("%s", folder);
  sqlite3_mutex_enter(lock);
  char *old = sqlite3_temp_directory;
  sqlite3_temp_directory = copy;
  sqlite3_mutex_leave(lock);
  sqlite3_free(old);
}

static inline void decant_sqlite3_leave_temporaries(const char *folder) {
  sqlite3_mutex *lock = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS1);
  sqlite3_mutex_enter(lock);
  char *old = sqlite3_temp_directory;
  if (old && strcmp(old, folder) == 0) sqlite3_temp_directory = 0;
  else old = 0;
  sqlite3_mutex_leave(lock);
  sqlite3_free(old);
}

#endif
