// Restricts access to files with Landlock.
#pragma once

#include "CSandbox.h"

/// A Landlock ruleset that is not active yet.
struct sandbox_fence {
    /// The descriptor of the ruleset; -1 for none.
    int ruleset;
    /// The Landlock version; 0 if the kernel has none.
    int abi;
};

/// Creates the ruleset from the paths of the rules. Returns 0 or an errno.
int sandbox_prepare_fence(const struct sandbox_rules *rules, struct sandbox_fence *fence);

/// Restricts the calling thread to the ruleset permanently. Returns 0 or an errno.
int sandbox_close_fence(struct sandbox_fence *fence);
