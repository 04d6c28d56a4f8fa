// Finds the user of the process at the other end of a TCP connection on this machine.
#pragma once

#include <stdint.h>

struct sockaddr;

/// Asks the kernel (sock_diag(7)) for the user who owns the other end of a TCP connection on this machine.
///
/// Returns 0 and sets `user` if a process has that end open. Otherwise returns an errno: ENOENT if the socket does not
/// exist or no process has it open, EPROTONOSUPPORT if the kernel does not support the query. Never blocks.
///
/// - peer: The address of the other end, from getpeername(2).
/// - own: The address of this end, from getsockname(2).
int peer_user(
    const struct sockaddr *_Nonnull peer, const struct sockaddr *_Nonnull own, uint32_t *_Nonnull user);
