// Installs the filter of system calls.
#pragma once

#include "CSandbox.h"

/// Allows the system calls that document processing requires, and rejects all others. Returns 0 or an errno.
///
/// - Parameters: The path of a program that may be executed, at an address that only the process knows; NULL for none.
///   Whether the process can use a database (`sandbox_rules.has_database`).
int sandbox_filter_calls(const char *program, int has_database);
