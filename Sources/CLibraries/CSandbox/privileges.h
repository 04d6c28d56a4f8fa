// Giving up root and all capabilities.
#pragma once

#include "CSandbox.h"

/// Becomes the user and group, if the process is root's, and gives up every capability. Returns 0 or an errno.
int sandbox_drop_privileges(uint32_t user, uint32_t group);
