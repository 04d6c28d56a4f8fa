// Forks workers from a process that has already loaded its libraries, and asks such a process for a worker.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"
#include "lock.h"

#ifndef PR_GET_TID_ADDRESS
#define PR_GET_TID_ADDRESS 40
#endif

// Room for the two descriptors of a worker.
union descriptors {
    char bytes[CMSG_SPACE(2 * sizeof(int))];
    struct cmsghdr align;
};

// Receives the standard streams of the next worker. Returns 0 when the other end of the socket is closed.
static int receive(int socket, int streams[2]) {
    char byte;
    union descriptors room;
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    ssize_t count;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count <= 0) return 0;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) return 0;
    memcpy(streams, CMSG_DATA(header), 2 * sizeof(int));
    return 1;
}

static void answer(int socket, int32_t process) {
    if (send(socket, &process, sizeof process, MSG_NOSIGNAL) != sizeof process) _exit(1);
}

// Forks like fork(), but the new process is a child of this process's parent.
static pid_t fork_sibling(void) {
    // The C library keeps the thread's number at the address that the kernel clears at the end of the thread.
    int *number = NULL;
    prctl(PR_GET_TID_ADDRESS, &number, 0, 0, 0);
    unsigned long flags = CLONE_PARENT | SIGCHLD;
    if (number != NULL) flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
#if defined(__x86_64__)
    return (pid_t)syscall(__NR_clone, flags, NULL, NULL, number, 0);
#else
    return (pid_t)syscall(__NR_clone, flags, NULL, NULL, 0, number);
#endif
}

// Makes the new process like a started one: its session, its streams and its limit of processor time.
static void become_worker(int socket, const int streams[2], unsigned processor_seconds) {
    setsid();
    struct rlimit limit = {processor_seconds, processor_seconds + 2};
    if (dup2(streams[0], STDIN_FILENO) < 0 || dup2(streams[0], STDOUT_FILENO) < 0
        || dup2(streams[1], STDERR_FILENO) < 0 || setrlimit(RLIMIT_CPU, &limit) != 0) {
        _exit(1);
    }
    close(streams[0]);
    close(streams[1]);
    answer(socket, getpid());
    close(socket);
}

int sandbox_fork_workers(unsigned processor_seconds) {
    // A lock that another thread holds would stay locked in the workers.
    if (sandbox_thread_count() > 1) return EBUSY;
    // The standard streams of this process are replaced in its workers.
    int socket = dup(STDIN_FILENO);
    if (socket < 0) return errno;
    int streams[2];
    while (receive(socket, streams)) {
        pid_t process = fork_sibling();
        if (process == 0) {
            become_worker(socket, streams, processor_seconds);
            return 0;
        }
        close(streams[0]);
        close(streams[1]);
        if (process < 0) answer(socket, 0);
    }
    _exit(0);
}

int32_t sandbox_request_worker(int socket, int conversation, int errors, int milliseconds) {
    char byte = 0;
    union descriptors room = {{0}};
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    int streams[2] = {conversation, errors};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof streams);
    memcpy(CMSG_DATA(header), streams, sizeof streams);
    if (sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) != 1) return 0;
    struct pollfd ready = {.fd = socket, .events = POLLIN};
    int count;
    do count = poll(&ready, 1, milliseconds);
    while (count < 0 && errno == EINTR);
    int32_t process = 0;
    if (count <= 0 || recv(socket, &process, sizeof process, 0) != sizeof process) return 0;
    return process;
}
