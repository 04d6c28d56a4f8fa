// Renames that Glibc's Swift module leaves out: renameat2(2) with its flags.
#pragma once

/// Renames a file, unless a file with the new name exists. Both paths are on the same file system.
///
/// A relative `from` is in `folder`, an open folder. A relative `to` is in the working directory.
///
/// Returns 0 or an error number: EEXIST when the name is taken, EINVAL where the file system cannot do it in one step.
int crename_without_replacing(int folder, const char *from, const char *to);

/// Exchanges two files of the same file system in one step (`RENAME_EXCHANGE`).
///
/// Returns 0 or an error number: ENOENT when a file is missing, EINVAL when the file system cannot do it in one step.
int crename_exchanging(const char *path, const char *other);
