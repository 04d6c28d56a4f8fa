// Provides files in memory, which Glibc's Swift module does not declare.
#pragma once

/// Creates an empty file that has no path and is stored only in memory (memfd_create(2)).
///
/// Returns a descriptor that child processes do not inherit; -1 on failure, with the reason in `errno`.
int cmemory_file_create(const char *name);
