// Sends datagrams to the journal of systemd.
#pragma once

#include <stddef.h>

/// Sends a datagram over a connected socket, as a sealed memory file if the datagram is too large for the socket.
///
/// Returns 0 or an errno. Never raises SIGPIPE.
///
/// - flags: Flags of send(2), such as MSG_DONTWAIT.
int journal_send(int socket, const void *_Nonnull bytes, size_t count, int flags);
