// The fence around files.
#pragma once

#include "CSandbox.h"

/// The rules of Landlock before they hold.
struct sandbox_fence {
    /// The descriptor of the rules; -1 for none.
    int ruleset;
    /// The version of Landlock; 0 when the kernel has none.
    int abi;
};

/// Looks up the paths of the rules. Returns 0 or an errno.
int sandbox_prepare_fence(const struct sandbox_rules *rules, struct sandbox_fence *fence);

/// Restricts the calling thread to the rules, for good. Returns 0 or an errno.
int sandbox_close_fence(struct sandbox_fence *fence);
