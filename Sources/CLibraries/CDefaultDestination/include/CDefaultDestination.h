// Finds the print destination that a linked module provides.
#pragma once

#include <stdbool.h>

/// Stores the default print destination of the program, if a module of the program defines one.
///
/// A module defines it with a function named `printkit_default_destination`, which initializes the value at
/// `destination`. Returns false if the program contains no such function.
bool cdefault_destination_make(void *destination);
