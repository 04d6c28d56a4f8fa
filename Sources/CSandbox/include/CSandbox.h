// How a print worker locks itself in before it reads the first byte of a document.
//
// Two fences, one behind the other, and neither needs a privilege:
//   seccomp   which system calls there are at all: no socket but a Unix one and no way to connect it, no new
//             program, no new process, no signal to anyone else, no door into the kernel or another process.
//   Landlock  which files: the system's libraries and fonts and the request's documents can be read, the
//             request's folders written, everything else is refused. Kernels before 5.13 have none of it.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a locked-in process may still touch.
struct sandbox_rules {
    /// Files and folders that may be read, folders with all that is in them.
    const char *const *readable;
    size_t readable_count;
    /// Files and folders that may be read and written; in folders, plain files and folders may be made and removed.
    const char *const *writable;
    size_t writable_count;
};

/// What holds after `sandbox_lock`.
struct sandbox_report {
    /// Whether the filter of system calls holds.
    int seccomp;
    /// The version of Landlock that holds; 0 when the kernel has none.
    int landlock_abi;
    /// The call that failed; NULL when none did.
    const char *failed;
};

/// Locks the calling process in, for good.
///
/// Paths that do not exist are left out: opening them fails later with a better reason. Must be called while the
/// process has one thread only, since Landlock holds the calling thread and those it starts. Returns 0, or the
/// `errno` of `report->failed`; a kernel without Landlock is no failure, one without seccomp is.
int sandbox_lock(const struct sandbox_rules *rules, struct sandbox_report *report);

/// The exit status of a process that crashed because it had used up its memory.
enum { SANDBOX_OUT_OF_MEMORY = 71 };

/// From now on, a crash of a process that has used most of its address space (`RLIMIT_AS`) ends it with
/// `SANDBOX_OUT_OF_MEMORY` rather than by its signal.
///
/// Call it before `sandbox_lock`: it opens a file of `/proc`.
void sandbox_watch_memory(void);

#ifdef __cplusplus
}
#endif
