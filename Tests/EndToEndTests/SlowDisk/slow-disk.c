// A library for LD_PRELOAD that makes the disk of the documents of printd slow.
//
// SLOW_DISK_FOLDER is a folder for the test. While it contains a file with the name of a call ("write", "fsync", "sync-folder",
// "rename", "read", "list"), this call waits, and the library appends a line to "waiting". With the file "delay", calls take as
// long as on a disk that writes and reads 32 MiB per second, and "progress" becomes one byte longer with each 4 MiB. The files of
// the database are on another, fast disk.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *folder;

__attribute__((constructor)) static void begin(void) {
    char name[32] = "";
    int file = syscall(SYS_openat, AT_FDCWD, "/proc/self/comm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t count = syscall(SYS_read, file, name, sizeof name - 1);
    syscall(SYS_close, file);
    if (count > 0 && !strcmp(name, "printd\n")) folder = getenv("SLOW_DISK_FOLDER");
}

static int has(const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

static void sleep_for(long microseconds) {
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&time, 0);
}

static int is_of_documents(const char *path) {
    return strstr(path, "/incoming/") || strstr(path, "/jobs") || strstr(path, "/uploads/") || strstr(path, "/views/")
        || strstr(path, "/output/");
}

// Appends to a file in the folder of the test.
static void append(const char *name, const char *text, size_t length) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    syscall(SYS_write, file, text, length);
    syscall(SYS_close, file);
}

// The transferred bytes.
static atomic_long transferred;

static void note_transfer(size_t count) {
    long before = atomic_fetch_add(&transferred, count);
    for (long number = before >> 22; number < (long)(before + count) >> 22; number++) append("progress", ".", 1);
}

static void slow(const char *call, const char *path, long delay, size_t count) {
    if (!folder || !is_of_documents(path)) return;
    int saved = errno;
    if (has("delay")) {
        sleep_for(delay);
        note_transfer(count);
    } else if (has(call)) {
        char line[PATH_MAX + 32];
        append("waiting", line, snprintf(line, sizeof line, "%s %s\n", call, path));
        while (has(call)) sleep_for(2000);
    }
    errno = saved;
}

static void slow_file(const char *call, int file, long delay, size_t count) {
    char link[64], path[PATH_MAX];
    if (!folder) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = 0;
    if (path[0] == '/') slow(call, path, delay, count);
}

// The time of a transfer in microseconds.
#define TIME(count) ((long)((count) >> 5))

ssize_t write(int file, const void *bytes, size_t count) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = dlsym(RTLD_NEXT, "write");
    slow_file("write", file, TIME(count), count);
    return next(file, bytes, count);
}

ssize_t read(int file, void *bytes, size_t count) {
    static ssize_t (*next)(int, void *, size_t);
    if (!next) next = dlsym(RTLD_NEXT, "read");
    slow_file("read", file, TIME(count), count);
    return next(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
    static ssize_t (*next)(int, void *, size_t, off_t);
    if (!next) next = dlsym(RTLD_NEXT, "pread");
    slow_file("read", file, TIME(count), count);
    return next(file, bytes, count, offset);
}

int fsync(int file) {
    static int (*next)(int);
    struct stat status;
    if (!next) next = dlsym(RTLD_NEXT, "fsync");
    int is_folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
    slow_file(is_folder ? "sync-folder" : "fsync", file, is_folder ? 300000 : 1000000, 0);
    return next(file);
}

int rename(const char *from, const char *to) {
    static int (*next)(const char *, const char *);
    if (!next) next = dlsym(RTLD_NEXT, "rename");
    slow("rename", to, 20000, 0);
    return next(from, to);
}

DIR *opendir(const char *path) {
    static DIR *(*next)(const char *);
    if (!next) next = dlsym(RTLD_NEXT, "opendir");
    // A command that ends a job waits until the files of the job are removed.
    if (strstr(path, "/output/")) slow("list", path, 20000, 0);
    return next(path);
}
