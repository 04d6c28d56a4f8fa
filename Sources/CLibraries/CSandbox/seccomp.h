// Installs the filter of system calls.
#pragma once

#include "CSandbox.h"

/// Allows the system calls that document processing requires, and rejects all others. Returns 0 or an errno.
int sandbox_filter_calls(void);
