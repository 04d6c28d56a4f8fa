// A file's way to a name that is free, in one step: Glibc's Swift module leaves renameat2(2) out.
#pragma once

/// Renames a file, unless there is one of the new name; both paths in one file system.
///
/// A relative `from` is in `folder`, an open folder; a relative `to` is in the working directory.
///
/// Returns 0, or an errno: EEXIST when the name is taken, EINVAL where the file system cannot do it in one step.
int crename_without_replacing(int folder, const char *from, const char *to);
