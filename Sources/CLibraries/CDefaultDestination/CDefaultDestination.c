#include "CDefaultDestination.h"

// The linker leaves a weak symbol undefined (null) if no module of the program defines the function.
__attribute__((weak)) extern void printkit_default_destination(void *destination);

bool cdefault_destination_make(void *destination) {
    if (!printkit_default_destination) return false;
    printkit_default_destination(destination);
    return true;
}
