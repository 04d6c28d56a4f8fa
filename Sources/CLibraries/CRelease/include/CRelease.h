#ifndef CRELEASE_H
#define CRELEASE_H

/// Returns the commit that the programs were built from, such as "1a2b3c4d" or "1a2b3c4d-dirty".
///
/// The result is an empty string if the build did not set the commit.
const char *crelease_commit(void);

#endif
