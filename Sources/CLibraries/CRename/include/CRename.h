// Provides system calls that replace files, and that Glibc's Swift module does not declare.
#pragma once

/// Renames a file, unless a file with the new name exists. Both paths are on the same file system.
///
/// A relative `from` is in `folder`, an open folder. A relative `to` is in the working directory.
///
/// Returns 0 or an error number: EEXIST if the name is in use, EINVAL if the file system does not support it
/// atomically.
int crename_without_replacing(int folder, const char *from, const char *to);

/// Exchanges two files of the same file system atomically (`RENAME_EXCHANGE`).
///
/// Returns 0 or an error number: ENOENT if a file is missing, EINVAL if the file system does not support it atomically.
int crename_exchanging(const char *path, const char *other);

/// Gives an open file the extended attributes of another open file: its access control list (acl(5)), and the
/// attributes that this user may set.
///
/// Returns 0 or an error number.
int crename_copy_attributes(int file, int copy);
