#define _GNU_SOURCE
#include "CMemoryFile.h"

#include <sys/mman.h>

int cmemory_file_create(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
