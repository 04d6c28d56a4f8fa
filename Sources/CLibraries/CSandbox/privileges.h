// Drops root privileges and all capabilities.
#pragma once

#include "CSandbox.h"

/// Changes to the user and group if the process runs as root, and drops all capabilities. Returns 0 or an errno.
int sandbox_drop_privileges(uint32_t user, uint32_t group);
