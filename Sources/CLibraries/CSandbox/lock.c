// Activates the layers of the sandbox.
#define _GNU_SOURCE
#include "CSandbox.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>

#include "landlock.h"
#include "lock.h"
#include "privileges.h"
#include "seccomp.h"

int sandbox_thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) return 1;  // no /proc: assume that the caller has one thread
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

int sandbox_lock(const struct sandbox_rules *rules, struct sandbox_report *report) {
    *report = (struct sandbox_report){0, 0, NULL};
    int error = 0;

    report->failed = "a process with several threads";
    if (sandbox_thread_count() > 1) return EBUSY;

    report->failed = "prctl(PR_SET_NO_NEW_PRIVS)";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;

    // Open the paths before changing the user, because the other user cannot access root's folders.
    report->failed = "Landlock";
    struct sandbox_fence fence;
    if ((error = sandbox_prepare_fence(rules, &fence)) != 0) return error;

    report->failed = "dropping root privileges";
    if ((error = sandbox_drop_privileges(rules->user, rules->group)) != 0) return error;

    report->failed = "Landlock";
    int abi = fence.abi;
    if ((error = sandbox_close_fence(&fence)) != 0) return error;
    report->landlock_abi = abi;

    // A program can ignore every signal of a timer. SIGKILL ends the program when the process that started it has ended.
    // The kernel clears this setting when the user changes, so it is made now; the filter refuses to change it.
    report->failed = "prctl(PR_SET_PDEATHSIG)";
    if (rules->program != NULL && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return errno;

    report->failed = "seccomp";
    if ((error = sandbox_filter_calls(rules->program, rules->has_database)) != 0) return error;

    report->seccomp = 1;
    report->failed = NULL;
    return 0;
}
