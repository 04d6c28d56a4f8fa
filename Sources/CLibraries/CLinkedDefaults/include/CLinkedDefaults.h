// Finds the print destination and the presenters that linked modules provide.
#pragma once

#include <stdbool.h>

// A module provides a value by defining the function that is named below. The function initializes the value at the
// given address. The functions of this file return false if the program contains no such function.

/// Stores the default print destination of the program (`printkit_default_destination`).
bool clinked_destination_make(void *destination);

/// Stores the default presenter of printer options (`printkit_default_options_presenter`).
bool clinked_options_presenter_make(void *presenter);

/// Stores the default presenter of menus and previews of documents (`printkit_default_document_presenter`).
bool clinked_document_presenter_make(void *presenter);
