// Two files that change places, which glibc shows only to C with _GNU_SOURCE.
#pragma once

/// Exchanges two files of one file system in one step (renameat2(2), `RENAME_EXCHANGE`).
///
/// Returns 0, or -1 with `errno`: ENOENT when there are not two, EINVAL when the file system cannot do it.
int file_exchange(const char *path, const char *other);
