// libpam, which checks the passwords of the machine's accounts.
#include <security/pam_appl.h>
#include <sys/prctl.h>

// Makes the memory of the process unreadable for others, and forbids new rights by setuid programs. Returns 0, or -1 if
// the kernel refuses. The function prctl has variable arguments, which Swift cannot call.
static inline int pam_process_restrict(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? -1 : 0;
}
