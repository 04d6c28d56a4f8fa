// The filter of system calls.
#pragma once

#include "CSandbox.h"

/// Allows what work on documents needs, and refuses all other system calls. Returns 0 or an errno.
int sandbox_filter_calls(void);
