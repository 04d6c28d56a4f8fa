// The filter of system calls.
#pragma once

/// Refuses what a worker has no use for. Returns 0 or an errno.
int sandbox_filter_calls(void);
