#include "CRelease.h"

// Package.swift defines PRINTQ_COMMIT. Only this file depends on it, so another commit compiles nothing else again.
#ifndef PRINTQ_COMMIT
#define PRINTQ_COMMIT ""
#endif

const char *crelease_commit(void) { return PRINTQ_COMMIT; }
