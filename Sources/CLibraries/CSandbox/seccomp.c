// The filter of system calls: an allowlist. All other calls fail.
//
// The list comes from tracing workers (strace) with the documents of the tests and of a corpus. It also contains calls
// that have the same effect in other versions of the C library. A call is on the list only if it is limited to the
// process's own memory, threads and descriptors, and to the files that Landlock allows. Landlock does not cover modes,
// owners, times and extended attributes of files, so the list contains no call that changes them. Before its third
// version (Linux 6.2), Landlock does not cover truncation either: the filter allows it only to a file that is open for
// writing.
#define _GNU_SOURCE
#include "seccomp.h"

#if defined(__x86_64__)
#include <asm/prctl.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <sys/ioctl.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define X32_CALLS 0x40000000u
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the filter is written for x86_64 and aarch64"
#endif

// Numbers that may be missing from the headers of Debian 12 and older; they are the same on all architectures.
enum { NR_FIRST_COMMON = 424, NR_CLOSE_RANGE = 436, NR_FACCESSAT2 = 439 };
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#endif

// Allowed with any arguments, the most frequent calls first.
static const uint32_t allowed[] = {
    __NR_read, __NR_pread64, __NR_write, __NR_futex, __NR_close, __NR_newfstatat, __NR_lseek,
    // Memory.
    __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_brk, __NR_mincore, __NR_msync,
    __NR_membarrier,
    // The process's own threads; the scheduling calls only read.
    __NR_gettid, __NR_set_tid_address, __NR_set_robust_list, __NR_sched_yield, __NR_sched_getaffinity,
    __NR_sched_getparam, __NR_sched_getscheduler, __NR_sched_get_priority_max, __NR_sched_get_priority_min,
    __NR_getcpu, __NR_exit, __NR_exit_group,
#ifdef __NR_rseq
    __NR_rseq,
#endif
    // The process's own signals.
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigpending, __NR_rt_sigsuspend,
    __NR_rt_sigtimedwait, __NR_sigaltstack, __NR_restart_syscall,
    // Time.
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep, __NR_gettimeofday, __NR_times,
    __NR_setitimer, __NR_getitimer,
    // Information about the process and the machine.
    __NR_getpid, __NR_getppid, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getresuid, __NR_getresgid,
    __NR_getgroups, __NR_getpgid, __NR_getsid, __NR_capget, __NR_uname, __NR_sysinfo, __NR_getrusage, __NR_getrlimit,
    __NR_setrlimit, __NR_umask, __NR_getcwd, __NR_getrandom,
    // Open descriptors.
    __NR_readv, __NR_preadv, __NR_writev, __NR_pwrite64, __NR_pwritev, __NR_dup, __NR_dup3, NR_CLOSE_RANGE,
    __NR_fstat, __NR_fstatfs, __NR_getdents64, __NR_fsync, __NR_fdatasync, __NR_ftruncate, __NR_fallocate,
    __NR_fadvise64, __NR_copy_file_range, __NR_sendfile, __NR_pipe2, __NR_eventfd2, __NR_ppoll, __NR_pselect6,
    __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait,
    // Files by path: Landlock decides which. The existence and size of all files are visible.
    __NR_statx, __NR_statfs, __NR_faccessat, NR_FACCESSAT2, __NR_readlinkat, __NR_unlinkat, __NR_renameat2,
#ifdef __NR_renameat
    __NR_renameat,
#endif
#if defined(__x86_64__)
    // The older forms of the calls above, which aarch64 does not have.
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_rmdir, __NR_unlink,
    __NR_rename, __NR_getdents, __NR_dup2, __NR_pipe, __NR_eventfd, __NR_poll, __NR_select, __NR_epoll_create,
    __NR_epoll_wait, __NR_time, __NR_alarm, __NR_pause, __NR_getpgrp,
#endif
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

// fcntl: no owners and signals (F_SETOWN, F_SETSIG), no notifications, no leases, no locks.
static const uint32_t fcntl_commands[] = {
    F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS,
    // Only for a process that uses a database.
    F_SETLK, F_SETLKW, F_GETLK,
};
enum { FCNTL_COMMANDS_WITHOUT_LOCKS = COUNT(fcntl_commands) - 3 };

// ioctl: terminal detection, number of readable bytes, blocking mode and close-on-exec.
static const uint32_t ioctl_requests[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};

// prctl: names of threads and of memory mappings.
static const uint32_t prctl_options[] = {PR_SET_NAME, PR_GET_NAME, PR_SET_VMA};

// The calls of an HTTP client, for programs that may use the network.
static const uint32_t network_calls[] = {
    __NR_connect, __NR_bind, __NR_sendto, __NR_sendmsg, __NR_sendmmsg, __NR_recvfrom, __NR_recvmsg, __NR_recvmmsg,
    __NR_shutdown, __NR_getsockname, __NR_getpeername, __NR_getsockopt, __NR_setsockopt,
};

// The calls that change the timer of an executed program: the launcher has set it, and the program must not cancel it.
static const uint32_t timer_calls[] = {
    __NR_setitimer,
#ifdef __NR_alarm
    __NR_alarm,
#endif
};

// The calls that change the mode of a file.
static const uint32_t mode_calls[] = {
#ifdef __NR_chmod
    __NR_chmod,
#endif
    __NR_fchmod,
    __NR_fchmodat,
};

_Static_assert(
    2 * COUNT(allowed) + COUNT(fcntl_commands) + COUNT(ioctl_requests) + COUNT(prctl_options) + 2 * COUNT(network_calls)
            + 146 <= SANDBOX_LONGEST_FILTER,
    "the filter needs more room");

struct program {
    struct sock_filter code[SANDBOX_LONGEST_FILTER];
    unsigned short length;
};

static void emit(struct program *program, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
    program->code[program->length++] = (struct sock_filter){code, yes, no, k};
}

static void load(struct program *program, size_t offset) {
    emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct program *program, uint32_t action) { emit(program, BPF_RET | BPF_K, action, 0, 0); }

// Runs the next `skip` instructions only if the loaded word equals `value`.
static void when(struct program *program, uint32_t value, uint8_t skip) {
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
}

// The low word of an argument. Both architectures are little-endian, and the kernel reads only the low word of an int.
static size_t argument(int index) { return offsetof(struct seccomp_data, args) + 8 * (size_t)index; }

// Allows a call if an argument has one of the given values; otherwise the call fails with the error.
static void only(
    struct program *program, uint32_t call, int index, const uint32_t *values, size_t count, uint32_t error) {
    when(program, call, (uint8_t)(count + 3));
    load(program, argument(index));
    for (size_t next = 0; next < count; next++) {
        // Jump to the allowing return, which follows the remaining values and the error return.
        emit(program, BPF_JMP | BPF_JEQ | BPF_K, values[next], (uint8_t)(count - next), 0);
    }
    answer(program, SECCOMP_RET_ERRNO | error);
    answer(program, SECCOMP_RET_ALLOW);
}

static void allow(struct program *program, const uint32_t *calls, size_t count) {
    for (size_t index = 0; index < count; index++) {
        when(program, calls[index], 1);
        answer(program, SECCOMP_RET_ALLOW);
    }
}

static void refuse(struct program *program, const uint32_t *calls, size_t count) {
    for (size_t index = 0; index < count; index++) {
        when(program, calls[index], 1);
        answer(program, SECCOMP_RET_ERRNO | EPERM);
    }
}

// Lets calls succeed without an effect.
static void ignore(struct program *program, const uint32_t *calls, size_t count) {
    for (size_t index = 0; index < count; index++) {
        when(program, calls[index], 1);
        answer(program, SECCOMP_RET_ERRNO | 0);
    }
}

// Allows a call that creates a file or folder, unless the argument with the mode has the rights of the owner
// (set-user-ID, set-group-ID).
static void allow_creation(struct program *program, uint32_t call, int mode) {
    when(program, call, 4);
    load(program, argument(mode));
    emit(program, BPF_JMP | BPF_JSET | BPF_K, S_ISUID | S_ISGID, 0, 1);
    answer(program, SECCOMP_RET_ERRNO | EPERM);
    answer(program, SECCOMP_RET_ALLOW);
}

// Allows a call that opens a file: its access mode is reading, writing or both, only a file for writing is truncated,
// and the mode of a created file is as in `allow_creation`. Without O_CREAT, the mode is undefined.
static void allow_opening(struct program *program, uint32_t call, int flags, int mode) {
    when(program, call, 11);
    load(program, argument(flags));
    emit(program, BPF_ALU | BPF_AND | BPF_K, O_ACCMODE | O_TRUNC, 0, 0);
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, O_RDONLY | O_TRUNC, 6, 0);
    emit(program, BPF_ALU | BPF_AND | BPF_K, O_ACCMODE, 0, 0);
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, O_ACCMODE, 4, 0);
    load(program, argument(flags));
    emit(program, BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 0, 3);
    load(program, argument(mode));
    emit(program, BPF_JMP | BPF_JSET | BPF_K, S_ISUID | S_ISGID, 0, 1);
    answer(program, SECCOMP_RET_ERRNO | EPERM);
    answer(program, SECCOMP_RET_ALLOW);
}

static void allow_network(struct program *program) {
    // Host name lookups ask the kernel for the machine's own addresses (NETLINK_ROUTE).
    when(program, __NR_socket, 8);
    load(program, argument(0));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 5, 0);
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 4, 0);
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 2);
    load(program, argument(2));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, NETLINK_ROUTE, 1, 0);
    answer(program, SECCOMP_RET_ERRNO | EACCES);
    answer(program, SECCOMP_RET_ALLOW);
    allow(program, network_calls, COUNT(network_calls));
}

// Allows the execution of a program whose path is at this address only, and the calls of its start.
static void allow_execution(struct program *program, uint64_t path) {
    when(program, __NR_execve, 6);
    load(program, argument(0));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)path, 0, 3);
    load(program, argument(0) + 4);
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(path >> 32), 0, 1);
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, SECCOMP_RET_ERRNO | EPERM);
#ifdef __NR_arch_prctl
    const uint32_t thread_pointer[] = {ARCH_SET_FS};
    only(program, __NR_arch_prctl, 0, thread_pointer, COUNT(thread_pointer), EINVAL);
#endif
}

static void write_program(
    struct program *program, uint32_t self, int has_network, const char *path, int has_database) {
    // System call numbers have other meanings in another architecture's mode; such a process is killed.
    load(program, offsetof(struct seccomp_data, arch));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    answer(program, SECCOMP_RET_KILL_PROCESS);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef X32_CALLS
    emit(program, BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
    answer(program, SECCOMP_RET_KILL_PROCESS);
#endif
    if (path != NULL) refuse(program, timer_calls, COUNT(timer_calls));
    if (has_database) ignore(program, mode_calls, COUNT(mode_calls));
    allow(program, allowed, COUNT(allowed));
    allow_opening(program, __NR_openat, 2, 3);
    allow_creation(program, __NR_mkdirat, 2);
#if defined(__x86_64__)
    allow_opening(program, __NR_open, 1, 2);
    allow_creation(program, __NR_creat, 1);
    allow_creation(program, __NR_mkdir, 1);
#endif
    size_t commands = has_database ? COUNT(fcntl_commands) : FCNTL_COMMANDS_WITHOUT_LOCKS;
    only(program, __NR_fcntl, 1, fcntl_commands, commands, EPERM);
    only(program, __NR_ioctl, 1, ioctl_requests, COUNT(ioctl_requests), ENOTTY);
    only(program, __NR_prctl, 0, prctl_options, COUNT(prctl_options), EPERM);
    // Signals to the process itself, as sent by abort(), and its own limits, which can be read and lowered.
    only(program, __NR_kill, 0, &self, 1, EPERM);
    only(program, __NR_tgkill, 0, &self, 1, EPERM);
    const uint32_t own[] = {0, self};
    only(program, __NR_prlimit64, 0, own, COUNT(own), EPERM);
    // Threads, but no processes.
    when(program, __NR_clone, 4);
    load(program, argument(0));
    emit(program, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, SECCOMP_RET_ERRNO | EPERM);
    if (has_network) allow_network(program);
    if (path != NULL) allow_execution(program, (uint64_t)(uintptr_t)path);
    // From this number on, a C library falls back to an older call if the kernel does not support the call. This
    // includes clone3, whose flags are in memory, where a filter cannot read them.
    emit(program, BPF_JMP | BPF_JGE | BPF_K, NR_FIRST_COMMON, 0, 1);
    answer(program, SECCOMP_RET_ERRNO | ENOSYS);
    answer(program, SECCOMP_RET_ERRNO | EPERM);
}

size_t sandbox_filter(int process, int has_network, uint64_t *code) {
    struct program program = {.length = 0};
    write_program(&program, (uint32_t)process, has_network, NULL, 0);
    _Static_assert(sizeof *program.code == sizeof *code, "an instruction is 8 bytes");
    memcpy(code, program.code, program.length * sizeof *code);
    return program.length;
}

int sandbox_filter_calls(const char *path, int has_database) {
    struct program program = {.length = 0};
    write_program(&program, (uint32_t)getpid(), 0, path, has_database);
    struct sock_fprog filter = {.len = program.length, .filter = program.code};
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0 ? 0 : errno;
}
