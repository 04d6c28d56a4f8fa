#define _GNU_SOURCE
#include "CRename.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int crename_without_replacing(int folder, const char *from, const char *to) {
    return renameat2(folder, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int crename_exchanging(const char *path, const char *other) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}
