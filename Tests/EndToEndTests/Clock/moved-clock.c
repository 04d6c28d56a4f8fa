// A library for LD_PRELOAD that adds the seconds in the file CLOCK_FILE (8 bytes) to the wall clock of a program.
//
// The file is mapped, so that a test moves the clock of programs that run. libfaketime is no replacement, because Swift
// programs lose their arguments with it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const long *offset;

static long moved(void) {
    static const long none = 0;
    if (offset == NULL) {
        const char *path = getenv("CLOCK_FILE");
        int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
        void *map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
        if (file >= 0) close(file);
        offset = map == MAP_FAILED ? &none : map;
    }
    return *offset;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += moved();
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL) *result = now.tv_sec;
    return now.tv_sec;
}
