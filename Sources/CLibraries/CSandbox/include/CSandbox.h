// How a print worker locks itself in before it reads the first byte of a document.
//
// Three fences, one behind the other:
//   seccomp   which system calls there are at all: those on a list. No socket, no new program or process, no signal to
//             another process, no change of a file's mode, owner, times or attributes.
//   Landlock  which files: the system's libraries and fonts and the request's documents can be read, the
//             request's folders written, everything else is refused. Kernels before 5.13 have none of it.
//   user      root becomes another user; every capability is given up.
#pragma once

#include <stddef.h>
#include <stdint.h>

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
    /// The user and group that a process of root becomes; neither may be 0. Other processes keep theirs.
    uint32_t user, group;
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

/// The most instructions that `sandbox_filter` writes.
enum { SANDBOX_LONGEST_FILTER = 512 };

/// Writes the filter of system calls (`struct sock_filter`, 8 bytes each) for a process that applies it to itself.
///
/// - Parameters: the number of the process; whether it may reach the network; room for `SANDBOX_LONGEST_FILTER`.
/// Returns the number of instructions.
size_t sandbox_filter(int process, int has_network, uint64_t *code);

/// The rights of Landlock in this kernel, for a program that locks itself in with system calls of its own.
struct sandbox_landlock {
    /// The version; 0 when the kernel has none, and all else is 0.
    int abi;
    /// What the rules are about: rights over files, network, scopes.
    uint64_t files, net, scoped;
    /// The rights over what may be read, over what may be written as well, and those that something not a folder can have.
    uint64_t reading, writing, of_files;
};

/// Returns the rights; of a program that may reach the network, `net` is 0.
struct sandbox_landlock sandbox_landlock_rights(int has_network);

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
