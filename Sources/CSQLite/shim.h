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

/* Swift can't call C functions with variable arguments. A wrapper calls such a function for one purpose, and is named
   after this purpose. */
static inline int decant_sqlite3_set_config_flag(sqlite3 *db, int flag, int on) {
  return sqlite3_db_config(db, flag, on, (int *)0);
}

/* Lets SQLite keep no statistics of its memory. This has an effect only before the first connection of the process. */
static inline void decant_sqlite3_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* SQLITE_TRANSIENT is a macro with a cast, which Swift can't import. */
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

/* Replaces the bytes of a database in memory without SQLite's pager; SQLITE_BUSY during a transaction. */
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

/* sqlite3_temp_directory is SQLite's own variable: SQLite reads it under this lock and frees it with sqlite3_free. */
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

/* A VFS named “decant”. It uses SQLite's default VFS, but it replaces some methods of open files, so that it can report
   each failed call. */

/* A function that is called before each read. It returns 0, or the errno with which a test lets the read fail. */
typedef int (*decant_io_question)(const char *path);
/* A function that is called after a call of the default VFS has failed. “action” is a participle for a message, such as
   “written” in “can't be written”. */
typedef void (*decant_io_failure)(const char *path, const char *action, int error);

typedef struct {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *own;
} decant_io_methods;

typedef struct {
  sqlite3_vfs vfs;
  sqlite3_vfs *own;
  decant_io_question ask;
  decant_io_failure tell;
  /* The system's VFS has one table for each way of locking. */
  decant_io_methods methods[16];
  int count;
} decant_io_state;

/* The variable is in a function, because Swift emits no variable of a header. */
static inline decant_io_state *decant_io(void) {
  static decant_io_state state;
  return &state;
}

/* The path is stored after the default VFS's own file; SQLite keeps the text as long as the file is open. */
static inline const char **decant_io_path(sqlite3_file *file) {
  return (const char **)((char *)file + ((decant_io()->own->szOsFile + 7) & ~7));
}

static inline const sqlite3_io_methods *decant_io_own(sqlite3_file *file) {
  return ((const decant_io_methods *)file->pMethods)->own;
}

static inline int decant_io_end(sqlite3_file *file, int code, const char *action, int fault) {
  if ((code & 0xff) != SQLITE_IOERR || code == SQLITE_IOERR_SHORT_READ) return code;
  int error = fault;
  if (!error) decant_io_own(file)->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
  const char *path = *decant_io_path(file);
  decant_io()->tell(path ? path : "", action, error);
  /* SQLite would report this failure of the disk as a damaged file. */
  return code == SQLITE_IOERR_CORRUPTFS ? SQLITE_IOERR_READ : code;
}

static int decant_io_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
  const char *path = *decant_io_path(file);
  int fault = path ? decant_io()->ask(path) : 0;
  int code = fault ? SQLITE_IOERR_READ : decant_io_own(file)->xRead(file, bytes, count, place);
  return code == SQLITE_OK ? code : decant_io_end(file, code, "read", fault);
}

static int decant_io_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
  int code = decant_io_own(file)->xWrite(file, bytes, count, place);
  return code == SQLITE_OK ? code : decant_io_end(file, code, "written", 0);
}

static int decant_io_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = decant_io_own(file)->xTruncate(file, size);
  return code == SQLITE_OK ? code : decant_io_end(file, code, "shortened", 0);
}

static int decant_io_sync(sqlite3_file *file, int flags) {
  int code = decant_io_own(file)->xSync(file, flags);
  return code == SQLITE_OK ? code : decant_io_end(file, code, "made durable", 0);
}

static int decant_io_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = decant_io_own(file)->xFileSize(file, size);
  return code == SQLITE_OK ? code : decant_io_end(file, code, "looked at", 0);
}

/* A table of the default VFS with some methods replaced. If there are more than 16 tables, a further table is returned
   as it is. */
static const sqlite3_io_methods *decant_exchanged(const sqlite3_io_methods *own) {
  sqlite3_mutex *lock = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
  const sqlite3_io_methods *found = own;
  sqlite3_mutex_enter(lock);
  int index = 0;
  decant_io_state *state = decant_io();
  while (index < state->count && state->methods[index].own != own) index++;
  if (index < 16) {
    decant_io_methods *entry = &state->methods[index];
    if (index == state->count) {
      entry->own = own;
      entry->methods = *own;
      entry->methods.xRead = decant_io_read;
      entry->methods.xWrite = decant_io_write;
      entry->methods.xTruncate = decant_io_truncate;
      entry->methods.xSync = decant_io_sync;
      entry->methods.xFileSize = decant_io_size;
      state->count++;
    }
    found = &entry->methods;
  }
  sqlite3_mutex_leave(lock);
  return found;
}

static int decant_vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
  (void)vfs;
  int code = decant_io()->own->xOpen(decant_io()->own, path, file, flags, given);
  *decant_io_path(file) = path;
  if (code == SQLITE_OK && file->pMethods) file->pMethods = decant_exchanged(file->pMethods);
  return code;
}

/* Registers the VFS; to be called only once. */
static inline int decant_register_vfs(decant_io_question ask, decant_io_failure tell) {
  decant_io_state *state = decant_io();
  state->own = sqlite3_vfs_find(0);
  if (!state->own) return SQLITE_ERROR;
  state->ask = ask;
  state->tell = tell;
  state->vfs = *state->own;
  state->vfs.zName = "decant";
  state->vfs.pNext = 0;
  state->vfs.xOpen = decant_vfs_open;
  state->vfs.szOsFile = ((state->own->szOsFile + 7) & ~7) + (int)sizeof(const char *);
  return sqlite3_vfs_register(&state->vfs, 0);
}

#endif
