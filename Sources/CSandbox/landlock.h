// The fence around files.
#pragma once

#include "CSandbox.h"

/// Restricts the calling thread to the rules. Sets `*abi` to the version that holds, 0 for none. Returns 0 or an errno.
int sandbox_fence_files(const struct sandbox_rules *rules, int *abi);
