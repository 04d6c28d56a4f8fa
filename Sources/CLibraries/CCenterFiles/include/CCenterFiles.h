// The files of the Print Center's web pages, embedded into the program.

#ifndef CCENTERFILES_H
#define CCENTERFILES_H

#include <stddef.h>

/// A file of the web pages.
struct center_file {
    /// The path of the file in the folder `Web`, such as `frame/center.css`.
    const char *name;
    /// The content of the file.
    const unsigned char *bytes;
    /// The size of the file in bytes.
    size_t count;
};

/// Returns the number of files.
size_t center_file_count(void);

/// Returns the file with an index below `center_file_count()`.
struct center_file center_file(size_t index);

#endif
