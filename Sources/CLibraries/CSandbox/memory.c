// Detects crashes caused by a lack of memory, from the amount of memory that the process had used.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CSandbox.h"

static int status_file = -1;
static uint64_t limit_kib = 0;
// A separate stack for the handler, because the crash can be an overflow of the main thread's stack.
static char handler_stack[32 * 1024];

// Returns the peak size of the address space in KiB; 0 if unknown. Uses only async-signal-safe functions.
static uint64_t peak_kib(void) {
    char text[2048];
    ssize_t count = pread(status_file, text, sizeof text - 1, 0);
    if (count <= 0) return 0;
    text[count] = 0;
    const char *digit = strstr(text, "VmPeak:");
    if (digit == NULL) return 0;
    digit += strlen("VmPeak:");
    while (*digit == ' ' || *digit == '\t') digit++;
    uint64_t value = 0;
    for (; *digit >= '0' && *digit <= '9'; digit++) value = value * 10 + (uint64_t)(*digit - '0');
    return value;
}

static void crashed(int signal_number) {
    if (peak_kib() >= limit_kib / 4 * 3) _exit(SANDBOX_OUT_OF_MEMORY);
    // SA_RESETHAND has removed the handler, so this signal ends the process.
    raise(signal_number);
}

void sandbox_watch_memory(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    limit_kib = limit.rlim_cur / 1024;
    status_file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (status_file < 0) return;

    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = crashed, .sa_flags = (int)(SA_RESETHAND | SA_ONSTACK)};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
        sigaction(signals[index], &action, NULL);
    }
}
