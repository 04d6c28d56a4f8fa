#include "CLinkedDefaults.h"

// The linker leaves a weak symbol undefined (null) if no module of the program defines the function.
__attribute__((weak)) extern void printkit_default_destination(void *destination);
__attribute__((weak)) extern void printkit_default_options_presenter(void *presenter);
__attribute__((weak)) extern void printkit_default_document_presenter(void *presenter);

static bool make(void (*provider)(void *), void *value) {
    if (!provider) return false;
    provider(value);
    return true;
}

bool clinked_destination_make(void *destination) { return make(printkit_default_destination, destination); }

bool clinked_options_presenter_make(void *presenter) { return make(printkit_default_options_presenter, presenter); }

bool clinked_document_presenter_make(void *presenter) { return make(printkit_default_document_presenter, presenter); }
