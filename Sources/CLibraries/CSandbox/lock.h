// Counts threads, because only a process with one thread can enter the sandbox or fork workers.
#pragma once

int sandbox_thread_count(void);
