// The filter of system calls, written out by hand: a straight list of "this call? then this answer".
#define _GNU_SOURCE
#include "seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define X32_CALLS 0x40000000u
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the filter is written for x86_64 and aarch64"
#endif

#ifndef __NR_clone3
#define __NR_clone3 435
#endif
#define NR_PIDFD_SEND_SIGNAL 424
#define NR_PIDFD_GETFD 438
#define NR_PROCESS_MADVISE 440

// Refused with EPERM whatever their arguments.
static const uint32_t refused[] = {
    // Another program, another session (which would escape the parent's kill).
    __NR_execve, __NR_execveat, __NR_setsid, __NR_setpgid,
#ifdef __NR_fork
    __NR_fork, __NR_vfork,
#endif
    // Other processes.
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp, __NR_tkill, __NR_rt_sigqueueinfo,
    __NR_rt_tgsigqueueinfo, NR_PIDFD_SEND_SIGNAL, NR_PIDFD_GETFD, NR_PROCESS_MADVISE,
    // Reaching anyone through a socket, Unix sockets among them: the spooler's own takes this user for its master.
    __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4,
    // Memory and queues shared by name with whoever runs as the same user.
    __NR_shmget, __NR_shmat, __NR_semget, __NR_msgget, __NR_mq_open,
    // File systems and namespaces.
    __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_unshare, __NR_setns, __NR_quotactl,
    __NR_open_by_handle_at, 428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */,
    432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */,
    // The kernel's large surfaces.
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, 425 /* io_uring_setup */, 426 /* io_uring_enter */,
    427 /* io_uring_register */, __NR_add_key, __NR_request_key, __NR_keyctl,
    // The machine itself.
    __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load,
#ifdef __NR_kexec_file_load
    __NR_kexec_file_load,
#endif
#ifdef __NR_iopl
    __NR_iopl, __NR_ioperm,
#endif
    __NR_reboot, __NR_swapon, __NR_swapoff, __NR_acct, __NR_settimeofday, __NR_clock_settime, __NR_adjtimex,
    __NR_clock_adjtime, __NR_sethostname, __NR_setdomainname, __NR_syslog,
};

enum { REFUSED_COUNT = sizeof refused / sizeof *refused, LONGEST = 2 * REFUSED_COUNT + 64 };

struct program {
    struct sock_filter code[LONGEST];
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

// The low word of an argument; both architectures are little-endian, and the kernel reads no more of an int.
static size_t argument(int index) { return offsetof(struct seccomp_data, args) + 8 * (size_t)index; }

// Allows a call if its first argument is `value`, else answers with the error.
static void only(struct program *program, uint32_t call, uint32_t value, uint32_t error) {
    when(program, call, 4);
    load(program, argument(0));
    when(program, value, 1);
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, SECCOMP_RET_ERRNO | error);
}

static void write_program(struct program *program) {
    // Numbers mean other calls to another architecture's entry: such a process is up to no good.
    load(program, offsetof(struct seccomp_data, arch));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    answer(program, SECCOMP_RET_KILL_PROCESS);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef X32_CALLS
    emit(program, BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
    answer(program, SECCOMP_RET_KILL_PROCESS);
#endif

    only(program, __NR_socket, AF_UNIX, EACCES);
    only(program, __NR_socketpair, AF_UNIX, EACCES);

    // Signals to itself, as abort() sends; nobody else's.
    uint32_t self = (uint32_t)getpid();
    only(program, __NR_kill, self, EPERM);
    only(program, __NR_tgkill, self, EPERM);

    // Threads, but no processes. clone3 keeps its flags in memory, where a filter cannot look; without it, the C
    // library falls back to clone.
    when(program, __NR_clone3, 1);
    answer(program, SECCOMP_RET_ERRNO | ENOSYS);
    when(program, __NR_clone, 4);
    load(program, argument(0));
    emit(program, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, SECCOMP_RET_ERRNO | EPERM);

    // Its own limits can be read (and lowered), no other process's.
    when(program, __NR_prlimit64, 5);
    load(program, argument(0));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    when(program, self, 1);
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, SECCOMP_RET_ERRNO | EPERM);

    for (size_t index = 0; index < REFUSED_COUNT; index++) {
        when(program, refused[index], 1);
        answer(program, SECCOMP_RET_ERRNO | EPERM);
    }
    answer(program, SECCOMP_RET_ALLOW);
}

int sandbox_filter_calls(void) {
    struct program program = {.length = 0};
    write_program(&program);
    struct sock_fprog filter = {.len = program.length, .filter = program.code};
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0 ? 0 : errno;
}
