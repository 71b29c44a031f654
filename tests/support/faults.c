/* A library to preload: it counts the file operations of a process in one folder, and fails at a chosen one.

   faults_arm(root, number, mode, count) starts the count. From then on every call that changes something
   below `root` has a number, from 1. `mode` says what happens at operation `number`:

     'c'  nothing: only count
     'k'  SIGKILL before the operation; a write has written half of its bytes
     't'  SIGTERM before the operation, which then goes on
     'f'  the disk is full: this operation and all later ones that need space fail with ENOSPC

   The number of operations so far is kept in the file `count`, where it survives a kill. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char root[PATH_MAX];
static int chosen, mode;
static atomic_int* counter;  // NULL: not armed

void faults_arm(const char* folder, int number, int what, const char* count) {
  if (!realpath(folder, root)) abort();
  chosen = number;
  mode = what;
  int file = open(count, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(atomic_int))) abort();
  void* page = mmap(NULL, sizeof(atomic_int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) abort();
  close(file);
  counter = page;
}

static int below(const char* path) {
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* Whether a path, relative to an open folder, is below the root. The last name need not exist. */
static int counts_at(int folder, const char* path) {
  char whole[2 * PATH_MAX], parent[PATH_MAX];
  if (!counter || !path) return 0;
  if (path[0] == '/' || folder == AT_FDCWD) {
    snprintf(whole, sizeof whole, "%s", path);
  } else {
    snprintf(parent, sizeof parent, "/proc/self/fd/%d", folder);
    ssize_t size = readlink(parent, whole, PATH_MAX);
    if (size < 0) return 0;
    snprintf(whole + size, sizeof whole - (size_t)size, "/%s", path);
  }
  char* slash = strrchr(whole, '/');
  if (slash && slash != whole) *slash = 0;
  return realpath(slash ? whole : ".", parent) && below(parent);
}

static int counts_open(int file) {
  char name[64], path[PATH_MAX];
  if (!counter) return 0;
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t size = readlink(name, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  return below(path);
}

static void killed(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

/* Counts an operation. Returns whether it must fail, because the disk is full; a kill does not return. */
static int fails(int counts, int needs_space) {
  if (!counts) return 0;
  int number = atomic_fetch_add(counter, 1) + 1;
  if (mode == 'k' && number == chosen) killed();
  if (mode == 't' && number == chosen) kill(getpid(), SIGTERM);
  if (mode == 'f' && number >= chosen && needs_space) {
    errno = ENOSPC;
    return 1;
  }
  return 0;
}

#define REAL(name, type, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* A write is torn by a kill: half of its bytes are written first. */
#define WRITE(name, type, parameters, torn, whole, ...) \
  type name parameters { \
    REAL(#name, type, __VA_ARGS__); \
    int counts = counts_open(file); \
    if (counts && mode == 'k' && atomic_load(counter) + 1 == chosen) { \
      if (torn) {} \
      atomic_fetch_add(counter, 1); \
      killed(); \
    } \
    return fails(counts, 1) ? -1 : whole; \
  }

WRITE(write, ssize_t, (int file, const void* data, size_t size), real(file, data, size / 2),
      real(file, data, size), int, const void*, size_t)
WRITE(pwrite, ssize_t, (int file, const void* data, size_t size, off_t at), real(file, data, size / 2, at),
      real(file, data, size, at), int, const void*, size_t, off_t)
WRITE(pwrite64, ssize_t, (int file, const void* data, size_t size, off64_t at), real(file, data, size / 2, at),
      real(file, data, size, at), int, const void*, size_t, off64_t)
WRITE(writev, ssize_t, (int file, const struct iovec* parts, int count), real(file, parts, count / 2),
      real(file, parts, count), int, const struct iovec*, int)
WRITE(sendfile, ssize_t, (int file, int from, off_t* at, size_t size), real(file, from, at, size / 2),
      real(file, from, at, size), int, int, off_t*, size_t)
WRITE(sendfile64, ssize_t, (int file, int from, off64_t* at, size_t size), real(file, from, at, size / 2),
      real(file, from, at, size), int, int, off64_t*, size_t)

#define ON_FILE(name, space, parameters, arguments, ...) \
  int name parameters { \
    REAL(#name, int, __VA_ARGS__); \
    return fails(counts_open(file), space) ? -1 : real arguments; \
  }

ON_FILE(fsync, 0, (int file), (file), int)
ON_FILE(fdatasync, 0, (int file), (file), int)
ON_FILE(ftruncate, 1, (int file, off_t size), (file, size), int, off_t)
ON_FILE(ftruncate64, 1, (int file, off64_t size), (file, size), int, off64_t)

#define ON_PATH(name, space, where, path, parameters, arguments, ...) \
  int name parameters { \
    REAL(#name, int, __VA_ARGS__); \
    return fails(counts_at(where, path), space) ? -1 : real arguments; \
  }

ON_PATH(mkdir, 1, AT_FDCWD, path, (const char* path, mode_t mode), (path, mode), const char*, mode_t)
ON_PATH(mkdirat, 1, at, path, (int at, const char* path, mode_t mode), (at, path, mode), int, const char*, mode_t)
ON_PATH(rmdir, 0, AT_FDCWD, path, (const char* path), (path), const char*)
ON_PATH(unlink, 0, AT_FDCWD, path, (const char* path), (path), const char*)
ON_PATH(unlinkat, 0, at, path, (int at, const char* path, int flags), (at, path, flags), int, const char*, int)
ON_PATH(rename, 0, AT_FDCWD, to, (const char* from, const char* to), (from, to), const char*, const char*)
ON_PATH(renameat, 0, b, to, (int a, const char* from, int b, const char* to), (a, from, b, to), int, const char*,
        int, const char*)
ON_PATH(renameat2, 0, b, to, (int a, const char* from, int b, const char* to, unsigned flags),
        (a, from, b, to, flags), int, const char*, int, const char*, unsigned)
ON_PATH(link, 1, AT_FDCWD, to, (const char* from, const char* to), (from, to), const char*, const char*)
ON_PATH(symlink, 1, AT_FDCWD, to, (const char* from, const char* to), (from, to), const char*, const char*)
ON_PATH(truncate, 1, AT_FDCWD, path, (const char* path, off_t size), (path, size), const char*, off_t)
ON_PATH(chmod, 0, AT_FDCWD, path, (const char* path, mode_t mode), (path, mode), const char*, mode_t)

/* Opening counts if it may create or empty a file. */
#define CHANGES(flags) ((flags) & (O_CREAT | O_TRUNC))
#define OPEN(name, where, parameters, arguments, ...) \
  int name parameters { \
    REAL(#name, int, __VA_ARGS__, ...); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    return CHANGES(flags) && fails(counts_at(where, path), 1) ? -1 : real arguments; \
  }

OPEN(open, AT_FDCWD, (const char* path, int flags, ...), (path, flags, mode), const char*, int)
OPEN(open64, AT_FDCWD, (const char* path, int flags, ...), (path, flags, mode), const char*, int)
OPEN(openat, at, (int at, const char* path, int flags, ...), (at, path, flags, mode), int, const char*, int)
OPEN(openat64, at, (int at, const char* path, int flags, ...), (at, path, flags, mode), int, const char*, int)

#define FOPEN(name) \
  FILE* name(const char* path, const char* how) { \
    REAL(#name, FILE*, const char*, const char*); \
    return how[0] != 'r' && fails(counts_at(AT_FDCWD, path), 1) ? NULL : real(path, how); \
  }

FOPEN(fopen)
FOPEN(fopen64)
