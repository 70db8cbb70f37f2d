#ifndef DECANT_CLINUX_SHIM_H
#define DECANT_CLINUX_SHIM_H

/* Linux calls that Swift's Glibc module doesn't offer: variadic functions and GNU extensions. */

#include <stdio.h>
#include <malloc.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The process gets SIGKILL when the thread that started it ends. */
static inline int decant_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

/* All threads take their memory from at most this number of pools; what one thread frees, another can use. */
static inline void decant_limit_memory_pools(int count) { mallopt(M_ARENA_MAX, count); }

/* Gives free memory back to the system. */
static inline void decant_give_memory_back(void) { malloc_trim(0); }

/* Sets the nice value of a thread. */
static inline int decant_set_nice(int thread, int nice) { return setpriority(PRIO_PROCESS, (id_t)thread, nice); }

/* Sets a thread's disk priority: class 2 is the default class, with levels 0 to 7, and class 3 is idle. */
static inline int decant_set_io_priority(int thread, int class, int level) {
  return (int)syscall(SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */, thread, class << 13 | level);
}

/* Makes `number` a duplicate of `descriptor`, atomically; child processes don't inherit it. */
static inline int decant_replace_descriptor(int descriptor, int number) {
  return (int)syscall(SYS_dup3, descriptor, number, O_CLOEXEC);
}

/* Renames only if the new name is free: EEXIST otherwise. */
static inline int decant_rename_without_replacing(
    int old_folder, const char *old_name, int new_folder, const char *new_name) {
  return (int)syscall(SYS_renameat2, old_folder, old_name, new_folder, new_name, 1u /* RENAME_NOREPLACE */);
}

/* Exchanges two names atomically: EINVAL if the file system can't do this. */
static inline int decant_exchange_names(const char *one, const char *other) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2u /* RENAME_EXCHANGE */);
}

/* A descriptor on which the signals of `set` arrive; the caller must have blocked these signals. Reading the descriptor
   never waits, and child processes don't inherit it. */
static inline int decant_signal_descriptor(const sigset_t *set) {
  return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The next signal that has arrived, or 0. */
static inline int decant_next_signal(int descriptor) {
  struct signalfd_siginfo info;
  ssize_t count = read(descriptor, &info, sizeof info);
  return count == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

/* GNU extensions, which <spawn.h> declares only if _GNU_SOURCE is defined before the first system header. */
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* Sets the folder in which a program starts. */
static inline int decant_spawn_in(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

/* Lets the program inherit no descriptor with the number `from` or a higher one. */
static inline int decant_spawn_closing_from(posix_spawn_file_actions_t *actions, int from) {
  return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

/* Lets an empty file share all blocks of another file; not every file system can do this. */
static inline int decant_share_blocks(int source, int destination) {
  return ioctl(destination, FICLONE, source);
}

/* Copies bytes within the kernel, from and to the same offset; returns their number, which may be below `count`. */
static inline ssize_t decant_copy_range(int source, int destination, off_t offset, size_t count) {
  off_t to = offset;
  return syscall(SYS_copy_file_range, source, &offset, destination, &to, count, 0u);
}

/* Lets the kernel begin to write bytes of a file to the disk, without waiting for the disk. */
static inline void decant_begin_writing(int descriptor, off_t offset, off_t count) {
#ifdef SYS_sync_file_range
  syscall(SYS_sync_file_range, descriptor, offset, count, 2u /* SYNC_FILE_RANGE_WRITE */);
#endif
}

/* Makes everything durable that was written to the file system of a descriptor. */
static inline int decant_sync_file_system(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

/* The magic number of a descriptor's file system; -1 if the call fails. */
static inline long decant_file_system_kind(int descriptor) {
  struct statfs state;
  return fstatfs(descriptor, &state) == 0 ? (long)state.f_type : -1;
}

/* A pipe that child processes don't inherit. */
static inline int decant_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/* A file in memory without a name; child processes don't inherit the descriptor. */
static inline int decant_memory_file(const char *label) {
  return (int)syscall(SYS_memfd_create, label, 1u /* MFD_CLOEXEC */);
}

/* Whether a child has ended; it can still be waited for. */
static inline int decant_has_ended(pid_t process) {
  siginfo_t info;
  info.si_signo = 0;
  return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD;
}

/* A lock of 32 bits: 0, or the number of the thread that has it. The highest bit says that threads may wait for it. */
#define DECANT_LOCK_WAITED 0x80000000u

static inline uint32_t decant_lock_thread(void) {
  static __thread uint32_t number = 0;
  if (number == 0) number = (uint32_t)syscall(SYS_gettid);
  return number;
}

/* 1 if the thread has the lock now, 0 if a thread has it already. */
static inline int decant_lock_try(uint32_t *lock) {
  uint32_t none = 0;
  return __atomic_compare_exchange_n(lock, &none, decant_lock_thread(), 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Whether the calling thread has the lock. */
static inline int decant_lock_is_mine(uint32_t *lock) {
  return (__atomic_load_n(lock, __ATOMIC_RELAXED) & ~DECANT_LOCK_WAITED) == decant_lock_thread();
}

/* Waits for the lock; the thread mustn't have it already. */
static inline void decant_lock(uint32_t *lock) {
  if (decant_lock_try(lock)) return;
  for (;;) {
    uint32_t owner = __atomic_load_n(lock, __ATOMIC_RELAXED);
    if (owner == 0) {
      /* Other threads may wait, too. */
      uint32_t mine = decant_lock_thread() | DECANT_LOCK_WAITED;
      if (__atomic_compare_exchange_n(lock, &owner, mine, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
      continue;
    }
    uint32_t waited = owner | DECANT_LOCK_WAITED;
    if (waited == owner ||
        __atomic_compare_exchange_n(lock, &owner, waited, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      syscall(SYS_futex, lock, 128 /* FUTEX_WAIT_PRIVATE */, waited, 0, 0, 0);
    }
  }
}

/* Releases the lock, and wakes a thread that waits for it. */
static inline void decant_unlock(uint32_t *lock) {
  if (__atomic_exchange_n(lock, 0u, __ATOMIC_RELEASE) & DECANT_LOCK_WAITED) {
    syscall(SYS_futex, lock, 129 /* FUTEX_WAKE_PRIVATE */, 1, 0, 0, 0);
  }
}

/* Lets each line of standard output be written at once. */
static inline void decant_write_lines_at_once(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

#endif
