#define _GNU_SOURCE
#include "CRename.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

int crename_without_replacing(int folder, const char *from, const char *to) {
    return renameat2(folder, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int crename_exchanging(const char *path, const char *other) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

int crename_copy_attributes(int file, int copy) {
    // The longest list of names, and the longest value (xattr(7)).
    char names[65536], value[65536];
    if (fremovexattr(copy, "system.posix_acl_access") != 0 && errno != ENODATA && errno != ENOTSUP) return errno;
    ssize_t length = flistxattr(file, names, sizeof names);
    if (length < 0) return errno == ENOTSUP ? 0 : errno;
    for (char *name = names; name < names + length; name += strlen(name) + 1) {
        ssize_t size = fgetxattr(file, name, value, sizeof value);
        // Only some users can change the attributes of security modules. The access list must not get lost.
        if ((size < 0 || fsetxattr(copy, name, value, size, 0) != 0) && strncmp(name, "system.", 7) == 0) return errno;
    }
    return 0;
}
