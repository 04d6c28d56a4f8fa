// Executes one program in the sandbox.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "CSandbox.h"

// Addresses of processes have 47 bits. The highest and the lowest addresses are left to the kernel and the program.
static const uint64_t highest_address = (1ULL << 46) - 1;

const char *sandbox_hide(const char *program) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t length = strlen(program) + 1;
    // The path and its random offset in the first page.
    size_t size = (page + length + page - 1) / page * page;
    uint64_t numbers[2];
    for (int attempt = 0; attempt < 16; attempt++) {
        if (getrandom(numbers, sizeof numbers, 0) != sizeof numbers) return NULL;
        // The address is a hint: an older kernel, or one that has something else there, chooses another address.
        void *wanted = (void *)(uintptr_t)(numbers[0] & highest_address & ~(uint64_t)(page - 1));
        char *place = mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (place == MAP_FAILED) return NULL;
        if (place == wanted) return memcpy(place + numbers[1] % page, program, length);
        munmap(place, size);
    }
    return NULL;
}

int sandbox_execute(
    const char *program, char *const *arguments, char *const *environment, const int *kept, size_t kept_count) {
    long limit = sysconf(_SC_OPEN_MAX);
    if (limit < 0 || limit > 65536) limit = 65536;
    for (int descriptor = 3; descriptor < limit; descriptor++) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    for (size_t index = 0; index < kept_count; index++) fcntl(kept[index], F_SETFD, 0);

    // Handlers become defaults anyway, but ignored and blocked signals stay so.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(program, arguments, environment);
    return errno;
}
