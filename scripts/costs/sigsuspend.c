/* Valgrind 3.19 writes to the mask of sigsuspend, which is read-only in libdispatch. Loaded into a program, this function
   passes a copy. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask)
{
    sigset_t copy = *mask;
    return syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
