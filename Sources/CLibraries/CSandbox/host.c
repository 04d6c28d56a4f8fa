// Starts processes for a spooler of another user, which cannot start, stop or reap processes of this user itself.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CSandbox.h"

enum { MOST_CHILDREN = 1024, LONGEST_MESSAGE = 1 << 16, MOST_STRINGS = 256, STREAMS = 3 };

// A process, and the socket on which the spooler waits for its end.
struct child {
    pid_t process;
    int channel;
    int is_killed;
};

struct ending {
    int32_t status;
    int32_t unused;
    int64_t microseconds;
};

static struct child children[MOST_CHILDREN];
static size_t child_count;

static void kill_child(struct child *child) {
    // A process that has just been forked may not have its own session yet.
    if (kill(-child->process, SIGKILL) != 0) kill(child->process, SIGKILL);
    child->is_killed = 1;
}

// Reports and forgets the child at an index if it has ended.
static int reap(size_t index) {
    struct child *child = &children[index];
    siginfo_t information = {0};
    if (waitid(P_PID, (id_t)child->process, &information, WEXITED | WNOHANG | WNOWAIT) == 0) {
        if (information.si_pid == 0) return 0;
        // The number stays valid until the process is reaped, so the signal reaches only processes of its session.
        kill(-child->process, SIGKILL);
        struct rusage usage;
        int status;
        if (wait4(child->process, &status, 0, &usage) == child->process) {
            struct ending ending = {
                status, 0,
                (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec
                    + usage.ru_stime.tv_usec};
            send(child->channel, &ending, sizeof ending, MSG_NOSIGNAL);
        }
    }
    close(child->channel);
    children[index] = children[--child_count];
    return 1;
}

static void reap_all(void) {
    for (size_t index = 0; index < child_count;) {
        if (!reap(index)) index++;
    }
}

static void add(pid_t process, int channel) {
    children[child_count++] = (struct child){process, channel, 0};
    // The process may have ended before the spooler asked for its end.
    reap(child_count - 1);
}

// Splits the strings of a message, which ends with a zero byte. Returns the number of strings.
static size_t split(char *text, const char *end, char *strings[MOST_STRINGS]) {
    size_t count = 0;
    while (text < end && count < MOST_STRINGS) {
        strings[count++] = text;
        text += strlen(text) + 1;
    }
    return count;
}

static void become(char **arguments, char **environment, const int streams[STREAMS]) {
    setsid();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    for (int stream = 0; stream < STREAMS; stream++) {
        if (dup2(streams[stream], stream) < 0) _exit(127);
    }
    if (chdir("/") != 0) _exit(127);
    execvpe(arguments[0], arguments, environment);
    _exit(127);
}

// S, the number of arguments, the arguments and the environment: starts a program.
static void start(char *message, size_t length, const int descriptors[STREAMS + 1]) {
    char *strings[MOST_STRINGS], *arguments[MOST_STRINGS + 1] = {0}, *environment[MOST_STRINGS + 1] = {0};
    size_t count = split(message + 1, message + length, strings);
    size_t argument_count = count > 0 ? strtoul(strings[0], NULL, 10) : 0;
    pid_t process = -1;
    if (argument_count > 0 && argument_count < count && child_count < MOST_CHILDREN) {
        memcpy(arguments, strings + 1, argument_count * sizeof *strings);
        memcpy(environment, strings + 1 + argument_count, (count - 1 - argument_count) * sizeof *strings);
        process = fork();
        if (process == 0) become(arguments, environment, descriptors);
    }
    for (int stream = 0; stream < STREAMS; stream++) close(descriptors[stream]);
    int32_t answer = process;
    if (process > 0) send(descriptors[STREAMS], &answer, sizeof answer, MSG_NOSIGNAL);
    if (process > 0) {
        add(process, descriptors[STREAMS]);
    } else {
        close(descriptors[STREAMS]);
    }
}

// W and a number: waits for a process that a child has forked as its sibling.
static void watch(const char *message, int channel) {
    pid_t process = (pid_t)strtol(message + 1, NULL, 10);
    siginfo_t information;
    if (process > 1 && child_count < MOST_CHILDREN
        && waitid(P_PID, (id_t)process, &information, WEXITED | WNOHANG | WNOWAIT) == 0) {
        add(process, channel);
    } else {
        close(channel);
    }
}

// Serves one message. Returns 0 when the other end of the socket is closed.
static int serve(int socket) {
    static char message[LONGEST_MESSAGE + 1];
    union {
        char bytes[CMSG_SPACE((STREAMS + 1) * sizeof(int))];
        struct cmsghdr align;
    } room;
    struct iovec data = {message, LONGEST_MESSAGE};
    struct msghdr header = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    ssize_t length = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    if (length < 0 && errno == EINTR) return 1;
    if (length <= 0) return 0;
    message[length] = 0;
    int descriptors[STREAMS + 1];
    size_t count = 0;
    struct cmsghdr *control = CMSG_FIRSTHDR(&header);
    if (control != NULL && control->cmsg_type == SCM_RIGHTS) {
        count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors, CMSG_DATA(control), count * sizeof(int));
    }
    if (message[0] == 'S' && count == STREAMS + 1) {
        start(message, (size_t)length, descriptors);
    } else if (message[0] == 'W' && count == 1) {
        watch(message, descriptors[0]);
    } else {
        return 0;
    }
    return 1;
}

void sandbox_host_processes(int socket) {
    // The group of this user includes the spooler, which reads the files of the workers.
    umask(0007);
    signal(SIGPIPE, SIG_IGN);
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    int signals = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
    uint32_t identity[2] = {geteuid(), getegid()};
    int isOpen = signals >= 0 && send(socket, identity, sizeof identity, MSG_NOSIGNAL) == sizeof identity;
    static struct pollfd ready[MOST_CHILDREN + 2];
    while (isOpen) {
        ready[0] = (struct pollfd){.fd = socket, .events = POLLIN};
        ready[1] = (struct pollfd){.fd = signals, .events = POLLIN};
        size_t count = child_count;
        for (size_t index = 0; index < count; index++) {
            int channel = children[index].is_killed ? -1 : children[index].channel;
            ready[index + 2] = (struct pollfd){.fd = channel, .events = POLLIN};
        }
        if (poll(ready, count + 2, -1) < 0) continue;
        // The spooler sends nothing on a channel: it closes its direction to kill the process.
        for (size_t index = 0; index < count; index++) {
            if (ready[index + 2].revents != 0) kill_child(&children[index]);
        }
        if (ready[1].revents != 0) {
            struct signalfd_siginfo information;
            while (read(signals, &information, sizeof information) > 0) {}
            reap_all();
        }
        if (ready[0].revents != 0) isOpen = serve(socket);
    }
    for (size_t index = 0; index < child_count; index++) kill_child(&children[index]);
    _exit(0);
}

ssize_t sandbox_receive(int socket, void *bytes, size_t length) {
    union {
        char bytes[CMSG_SPACE(SANDBOX_MOST_FILES * sizeof(int))];
        struct cmsghdr align;
    } room;
    struct iovec data = {bytes, length};
    struct msghdr header = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    ssize_t count = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    if (count <= 0) return count;
    struct cmsghdr *control = CMSG_FIRSTHDR(&header);
    if (control == NULL) return count;
    size_t file_count = control->cmsg_type == SCM_RIGHTS ? (control->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
    for (size_t index = 0; index < file_count; index++) {
        int file;
        memcpy(&file, CMSG_DATA(control) + index * sizeof(int), sizeof file);
        if (fcntl(file, F_DUPFD_CLOEXEC, SANDBOX_FIRST_FILE) < 0) return -1;
        close(file);
    }
    if (header.msg_flags & MSG_CTRUNC) {
        errno = EMFILE;
        return -1;
    }
    return count;
}
