/* A regression of every operation: loaded into the programs, one more look-up, reading of a folder, fsync and statement at
   the start of a program and for each answer; and a thread of printd that wakes up five times a second. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static void cost_more(void)
{
    int saved = errno;
    access("/regression", F_OK);
    DIR *folder = opendir("/");
    if (folder != NULL) {
        while (readdir(folder) != NULL) {
        }
        fsync(dirfd(folder));
        closedir(folder);
    }
    static ssize_t (*original)(int, const void *, size_t);
    if (original == NULL) {
        original = dlsym(RTLD_NEXT, "write");
    }
    (void)!original(-1, "SELECT 1", 8);
    errno = saved;
}

#define REPLACE(name, parameters, arguments)             \
    ssize_t name parameters                              \
    {                                                    \
        static ssize_t(*original) parameters;            \
        if (original == NULL) {                          \
            original = dlsym(RTLD_NEXT, #name);          \
        }                                                \
        cost_more();                                     \
        return original arguments;                       \
    }

REPLACE(write, (int file, const void *bytes, size_t count), (file, bytes, count))
REPLACE(writev, (int file, const struct iovec *parts, int count), (file, parts, count))
REPLACE(send, (int file, const void *bytes, size_t count, int flags), (file, bytes, count, flags))
REPLACE(sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags))

static void *wake(void *context)
{
    for (;;) {
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
    return NULL;
}

__attribute__((constructor)) static void start(void)
{
    cost_more();
    pthread_t thread;
    if (strcmp(program_invocation_short_name, "printd") == 0 && pthread_create(&thread, NULL, wake, NULL) == 0) {
        pthread_detach(thread);
    }
}
