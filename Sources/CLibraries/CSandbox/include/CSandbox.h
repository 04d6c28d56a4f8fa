// Confines a print worker before it reads the first byte of a document.
//
// The sandbox has three layers:
//   seccomp   An allowlist of system calls. No sockets, no new programs or processes, no signals to other
//             processes, no changes of a file's mode, owner, times or attributes.
//             A launcher may execute one program, which stays in the sandbox.
//   Landlock  An allowlist of files. The system's libraries and fonts and the request's documents are readable, and
//             the request's folders are writable. Kernels before 5.13 have no Landlock.
//   user      A process of root changes to another user, and all capabilities are dropped.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The files and the user of a sandboxed process.
struct sandbox_rules {
    /// The readable files and folders, including the content of the folders.
    const char *const *readable;
    size_t readable_count;
    /// The readable and writable files and folders. In the folders, regular files and folders can be created and
    /// removed.
    const char *const *writable;
    size_t writable_count;
    /// The program that the process executes after `sandbox_lock`, at an address that only the process knows
    /// (`sandbox_hide`); NULL if the process executes no program. The program cannot change the timer that the process has
    /// set, and is killed when the process that started it ends.
    const char *program;
    /// The files that the kernel opens to execute the program: the program and its interpreters.
    const char *const *executable;
    size_t executable_count;
    /// The user and group to which a process of root changes; neither may be 0. Other processes keep their user and
    /// group.
    uint32_t user, group;
    /// Whether the process can use an SQLite database: it can lock files, and a change of a file's mode does nothing,
    /// instead of failing. NSS, with which LibreOffice decrypts OpenDocument files, makes a database at its start.
    int has_database;
    /// Whether the process can create no folders, which another user could not remove.
    int is_flat;
};

/// The active protections after `sandbox_lock`.
struct sandbox_report {
    /// Whether the filter of system calls is active.
    int seccomp;
    /// The active Landlock version; 0 if the kernel has none.
    int landlock_abi;
    /// The call that failed; NULL on success.
    const char *failed;
};

/// Sandboxes the calling process permanently.
///
/// Paths that do not exist are skipped; opening them later fails with a better error. The process must have only one
/// thread, because Landlock restricts the calling thread and the threads it creates. Returns 0, or the `errno` of
/// `report->failed`. A missing Landlock is not an error; a missing seccomp is.
int sandbox_lock(const struct sandbox_rules *rules, struct sandbox_report *report);

/// Copies the path of a program to a random address, for `rules.program`; NULL if there is not
/// enough memory.
///
/// The filter of system calls allows `execve` only for a path at this address. The executed program does not know the
/// address, so it cannot execute another program, even if it may read other programs.
const char *sandbox_hide(const char *program);

/// Executes the program, whose path is at an address from `sandbox_hide`, with default signal handlers.
///
/// Descriptors from 3 on are closed, except the kept ones. Returns the `errno` of a failure; otherwise the function
/// does not return.
int sandbox_execute(
    const char *program, char *const *arguments, char *const *environment, const int *kept, size_t kept_count);

/// The maximum number of instructions that `sandbox_filter` writes.
enum { SANDBOX_LONGEST_FILTER = 512 };

/// Writes the filter of system calls (`struct sock_filter`, 8 bytes each) for a process that applies it to itself.
///
/// - Parameters: The process ID; whether the process may use the network; an array of `SANDBOX_LONGEST_FILTER`
///   instructions.
/// Returns the number of instructions.
size_t sandbox_filter(int process, int has_network, uint64_t *code);

/// The Landlock rights of this kernel, for a program that sets up Landlock with its own system calls.
struct sandbox_landlock {
    /// The Landlock version; if the kernel has none, all members are 0.
    int abi;
    /// The rights that the ruleset handles: files, network, scopes.
    uint64_t files, net, scoped;
    /// The rights for readable files, for writable files, and for paths that are not folders.
    uint64_t reading, writing, of_files;
};

/// Returns the rights; `net` is 0 for a program that may use the network.
struct sandbox_landlock sandbox_landlock_rights(int has_network);

/// Forks this process for each request on its standard input, a Unix socket.
///
/// The process must have one thread, and must never have opened a document. A new process is a child of this process's
/// parent, in a new session, with the streams of its request and a limit of processor time; it reports its number on the
/// socket. The function returns 0 in each new process, and ends this process when the socket is closed. Returns the
/// `errno` of a failure.
int sandbox_fork_workers(unsigned processor_seconds);

/// Requests a process from the process that calls `sandbox_fork_workers` at the other end of the socket.
///
/// - Parameters: The socket; the new process's standard input and output; its standard error; a time limit.
/// Returns the number of the process, which is a child of the calling process; 0 on failure.
int32_t sandbox_request_worker(int socket, int conversation, int errors, int milliseconds);

/// Starts processes for the spooler at the other end of the socket (`SOCK_SEQPACKET`), until the socket is closed.
///
/// The function first sends the user and the group of this process. A message asks to start a program, or to wait for a
/// process that such a program has forked; a socket in the message receives the number of a started process, and then
/// its exit status and processor time. The process is killed when the other end of this socket is closed, and all
/// processes when `socket` is closed. The function never returns.
void sandbox_host_processes(int socket) __attribute__((noreturn));

/// The number of the first file that `sandbox_receive` receives, and the maximum number of files.
enum { SANDBOX_FIRST_FILE = 100, SANDBOX_MOST_FILES = 128 };

/// Reads from a socket like `read`; files in the message get the numbers from `SANDBOX_FIRST_FILE`.
ssize_t sandbox_receive(int socket, void *bytes, size_t length);

/// The exit status of a process that crashed because it ran out of memory.
enum { SANDBOX_OUT_OF_MEMORY = 71 };

/// Installs a crash handler: if a process crashes after it has used most of its address space (`RLIMIT_AS`), it exits
/// with `SANDBOX_OUT_OF_MEMORY` instead of dying from the signal.
///
/// Must be called before `sandbox_lock`, because it opens a file in `/proc`.
void sandbox_watch_memory(void);

#ifdef __cplusplus
}
#endif
