// The user of the process at the other end of a TCP connection on this machine.
#pragma once

#include <stdint.h>

struct sockaddr;

/// Asks the kernel (sock_diag(7)) for the user that owns the other end of a TCP connection of this machine.
///
/// Returns 0 and sets `user` when a process still has that end open. Else an errno: ENOENT when the kernel knows no such
/// socket or no process has it open any more, EPROTONOSUPPORT when it cannot be asked. Never blocks.
///
/// - peer: the address of the other end, as getpeername(2) tells it.
/// - own: the address of this end, as getsockname(2) tells it.
int peer_user(
    const struct sockaddr *_Nonnull peer, const struct sockaddr *_Nonnull own, uint32_t *_Nonnull user);
