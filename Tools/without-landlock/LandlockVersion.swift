// Answers the question for the version of Landlock in place of the kernel.

import Glibc

enum LandlockVersion {
    /// Limits the version of Landlock for this process and the programs it executes.
    ///
    /// A child process answers, until the last of these programs has ended.
    static func limit(to version: Int) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { WithoutLandlock.failed("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // The child process shares the descriptors (CLONE_FILES) until it has the one of the filter.
        let child = CallFilter.call("syscall", clone, 0x400 | Int(SIGCHLD))
        if child == 0 { answer(version, pipe: ends[0]) }
        // landlock_create_ruleset (444) with LANDLOCK_CREATE_RULESET_VERSION in its third argument.
        let filter = [
            CallFilter.load(offset: 0),
            CallFilter.instruction(0x15, 444, no: 3),
            CallFilter.load(offset: 32),
            CallFilter.instruction(0x15, 1, no: 1),
            CallFilter.instruction(0x06, 0x7FC0_0000),  // SECCOMP_RET_USER_NOTIF
            CallFilter.allow,
        ]
        var listener = CallFilter.install(filter, flags: 8)  // SECCOMP_FILTER_FLAG_NEW_LISTENER
        guard child > 0, listener >= 0 else { WithoutLandlock.failed("the kernel rejected the filter") }
        _ = write(ends[1], &listener, 4)
    }

    #if arch(x86_64)
    private static let clone = 56
    private static let unshare = 272
    #else
    private static let clone = 220
    private static let unshare = 97
    #endif

    private static func answer(_ version: Int, pipe: Int32) -> Never {
        var listener: Int32 = -1
        guard read(pipe, &listener, 4) == 4, CallFilter.call("syscall", unshare, 0x400) == 0 else { _exit(1) }
        // The streams of the program end with the program.
        for file in Int32(0)..<64 where file != listener { close(file) }
        // struct seccomp_notif: id, process, flags, call; struct seccomp_notif_resp: id, result, error and flags.
        var question = [UInt64](repeating: 0, count: 10)
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        while true {
            guard poll(&ready, 1, -1) >= 0 || errno == EINTR else { _exit(1) }
            if ready.revents & Int16(POLLHUP) != 0 { _exit(0) }
            for index in question.indices { question[index] = 0 }
            let isAsked = question.withUnsafeMutableBytes { bytes in
                CallFilter.call("ioctl", Int(listener), 0xC050_2100, Int(bitPattern: bytes.baseAddress)) == 0
            }
            guard isAsked else { continue }
            var reply = [question[0], UInt64(version), 0]
            _ = reply.withUnsafeMutableBytes { bytes in
                CallFilter.call("ioctl", Int(listener), 0xC018_2101, Int(bitPattern: bytes.baseAddress))
            }
        }
    }
}
