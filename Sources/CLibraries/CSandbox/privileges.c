// Drops root privileges and all capabilities, and verifies the result.
#define _GNU_SOURCE
#include "privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int become(uid_t user, gid_t group) {
    if (user == 0 || group == 0) return EPERM;
    if (setgroups(0, NULL) != 0 || setresgid(group, group, group) != 0 || setresuid(user, user, user) != 0) return errno;
    return 0;
}

// Requires CAP_SETPCAP. Without it the bounding set stays, which is harmless with PR_SET_NO_NEW_PRIVS.
static void empty_bounding_set(void) {
    for (unsigned long capability = 0; capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

static int drop_capabilities(void) {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct nothing[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    return syscall(SYS_capset, &header, nothing) == 0 ? 0 : errno;
}

// Returns whether the process has no privileges and cannot regain them.
static int is_powerless(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    if (syscall(SYS_capget, &header, held) != 0) return 0;
    for (int index = 0; index < _LINUX_CAPABILITY_U32S_3; index++) {
        if (held[index].effective != 0 || held[index].permitted != 0 || held[index].inheritable != 0) return 0;
    }
    uid_t real, effective, saved;
    if (getresuid(&real, &effective, &saved) != 0) return 0;
    return real != 0 && effective != 0 && saved != 0 && setuid(0) != 0;
}

int sandbox_drop_privileges(uint32_t user, uint32_t group) {
    int error = 0;
    uid_t real, effective, saved;
    if (getresuid(&real, &effective, &saved) != 0) return errno;
    empty_bounding_set();
    if (real == 0 || effective == 0 || saved == 0) {
        if ((error = become(user, group)) != 0) return error;
    }
    if ((error = drop_capabilities()) != 0) return error;
    return is_powerless() ? 0 : EPERM;
}
