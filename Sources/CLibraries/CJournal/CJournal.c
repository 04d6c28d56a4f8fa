#define _GNU_SOURCE
#include "CJournal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static int write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/// Sends the descriptor of a file with SCM_RIGHTS (unix(7)).
static int send_file(int socket, int file, int flags) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_control = &control, .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &file, sizeof file);
    return sendmsg(socket, &message, flags | MSG_NOSIGNAL) < 0 ? errno : 0;
}

int journal_send(int socket, const void *bytes, size_t count, int flags) {
    if (send(socket, bytes, count, flags | MSG_NOSIGNAL) >= 0) return 0;
    if (errno != EMSGSIZE && errno != ENOBUFS) return errno;
    // The journal reads only files that cannot change any more.
    int file = memfd_create("journal-entry", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return errno;
    int error = write_all(file, bytes, count);
    if (error == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
        error = errno;
    if (error == 0) error = send_file(socket, file, flags);
    close(file);
    return error;
}
