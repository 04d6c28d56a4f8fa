// Tries system calls that a worker must not make.

import Glibc

/// Tries all forbidden calls, and finds the calls that the kernel executed or examined.
enum RefusedCalls {
    /// Returns the calls that were not refused, with their results.
    ///
    /// - Parameter path: A file that this process may write. Without the filter, each call would succeed on this file
    ///   or on this process.
    static func notRefused(on path: String) -> [String] {
        let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { return ["\(path): \(String(cString: strerror(errno)))"] }
        return calls(path, file).compactMap { name, function, arguments in
            guard let code = call(function, arguments) else { return "\(name): not in the C library" }
            let isRefused = code == EPERM || code == ENOSYS || (name.hasPrefix("ioctl") && code == ENOTTY)
            return isRefused ? nil : "\(name): \(code == 0 ? "ok" : String(cString: strerror(code)))"
        }
    }

    private typealias Call = (name: String, function: String, arguments: [Int])

    private static func calls(_ path: String, _ file: CInt) -> [Call] {
        let (file, text, other) = (Int(file), address("x"), address(path + ".other"))
        let path = address(path)
        let (current, user, group, parent) = (Int(AT_FDCWD), Int(getuid()), Int(getgid()), Int(getppid()))
        let room = Int(bitPattern: calloc(1, 65_536))
        let attribute = address("user.printq")
        let mask = Int(bitPattern: calloc(1, 128))
        _ = call("sched_getaffinity", [0, 128, mask])
        let socket = unixAddress("/tmp/printq-nobody")
        let kernel = calls(on: file, path, room)
        return kernel + opening(path, other) + [
            ("chmod", "chmod", [path, 0o4755]), ("fchmod", "fchmod", [file, 0o777]),
            ("fchmodat", "fchmodat", [current, path, 0o777, 0]), ("chown", "chown", [path, user, group]),
            ("lchown", "lchown", [path, user, group]), ("fchown", "fchown", [file, user, group]),
            ("fchownat", "fchownat", [current, path, user, group, 0]),
            ("setxattr", "setxattr", [path, attribute, text, 1, 0]),
            ("lsetxattr", "lsetxattr", [path, attribute, text, 1, 0]),
            ("fsetxattr", "fsetxattr", [file, attribute, text, 1, 0]),
            ("removexattr", "removexattr", [path, attribute]),
            ("utime", "utime", [path, 0]), ("utimes", "utimes", [path, 0]), ("futimens", "futimens", [file, 0]),
            ("utimensat", "utimensat", [current, path, 0, 0]),
            ("link", "link", [path, other]), ("symlink", "symlink", [path, other]),
            ("mkfifo", "mkfifo", [other, 0o600]), ("flock", "flock", [file, Int(LOCK_SH)]),
            ("chdir", "chdir", [address("/")]), ("chroot", "chroot", [address("/")]),
            ("sendto", "sendto", [0, text, 1, 0, socket, 110]), ("sendmsg", "sendmsg", [0, message(passing: file), 0]),
            ("sendmmsg", "sendmmsg", [0, room, 1, 0]), ("recvfrom", "recvfrom", [0, room, 1, 0, 0, 0]),
            ("recvmsg", "recvmsg", [0, room, 0]), ("connect", "connect", [0, socket, 110]),
            ("bind", "bind", [0, socket, 110]), ("listen", "listen", [0, 1]), ("accept", "accept", [0, 0, 0]),
            ("setsockopt", "setsockopt", [0, 1, 2, room, 4]), ("socketpair", "socketpair", [1, 2, 0, room]),
            ("setpriority", "setpriority", [0, 0, 0]), ("setpriority of another", "setpriority", [0, parent, 0]),
            ("sched_setaffinity", "sched_setaffinity", [0, 128, mask]),
            ("sched_setaffinity of another", "sched_setaffinity", [parent, 128, mask]),
            ("sched_setscheduler", "sched_setscheduler", [0, 0, room]),
            ("prlimit of another", "prlimit", [parent, 7, 0, room]),
            ("F_SETOWN", "fcntl", [file, 8, parent]), ("F_SETSIG", "fcntl", [file, 10, 9]),
            ("F_SETOWN_EX", "fcntl", [file, 15, room]), ("F_NOTIFY", "fcntl", [file, 1026, 1]),
            ("F_SETLEASE", "fcntl", [file, 1024, 0]), ("F_SETLK", "fcntl", [file, 6, room]),
            ("ioctl TIOCSTI", "ioctl", [file, 0x5412, text]),
            ("ioctl FS_IOC_SETFLAGS", "ioctl", [file, 0x4008_6602, room]), ("kill another", "kill", [parent, 0]),
            ("kill all", "kill", [-1, 0]), ("tgkill", "tgkill", [parent, parent, 0]),
            ("sigqueue", "sigqueue", [parent, 0, 0]), ("ptrace", "ptrace", [16, parent, 0, 0]),
            ("process_vm_readv", "process_vm_readv", [parent, room, 0, room, 0, 0]),
            ("setsid", "setsid", []), ("setpgid", "setpgid", [0, 0]), ("setresuid", "setresuid", [user, user, user]),
            ("setresgid", "setresgid", [group, group, group]), ("setgroups", "setgroups", [0, 0]),
            ("capset", "capset", [room, room]), ("personality", "personality", [0xFFFF_FFFF]),
            ("PR_SET_DUMPABLE", "prctl", [4, 1, 0, 0, 0]), ("PR_SET_PTRACER", "prctl", [0x5961_6D61, -1, 0, 0, 0]),
            ("PR_SET_SECCOMP", "prctl", [22, 1, 0, 0, 0]), ("PR_SET_PDEATHSIG", "prctl", [1, 9, 0, 0, 0]),
            ("mount", "mount", [text, path, text, 0, 0]), ("umount2", "umount2", [path, 0]),
            ("unshare", "unshare", [0]), ("setns", "setns", [file, 0]), ("shmget", "shmget", [0, 4096, 0o1600]),
            ("semget", "semget", [0, 1, 0o1600]), ("msgget", "msgget", [0, 0o1600]),
            ("mq_open", "mq_open", [address("/printq"), 0o100, 0o600, 0]), ("inotify_init", "inotify_init", []),
            ("fanotify_init", "fanotify_init", [0, 0]), ("memfd_create", "memfd_create", [text, 0]),
            ("splice", "splice", [file, 0, 1, 0, 0, 0]), ("acct", "acct", [0]), ("klogctl", "klogctl", [10, 0, 0]),
            ("sethostname", "sethostname", [text, 0]), ("clock_settime", "clock_settime", [99, room]),
            ("name_to_handle_at", "name_to_handle_at", [current, path, room, room, 0]),
            ("open_by_handle_at", "open_by_handle_at", [file, room, 0]),
        ]
    }

    /// Returns the calls that empty a file without opening it for writing, and the calls that create a file or folder
    /// with the rights of its owner.
    ///
    /// No version of Landlock refuses the second kind, and only versions from 3 on refuse the first kind.
    private static func opening(_ path: Int, _ other: Int) -> [Call] {
        let (current, create) = (Int(AT_FDCWD), Int(O_CREAT | O_WRONLY))
        let emptying = [("O_RDONLY", Int(O_RDONLY)), ("access mode 3", 3)].flatMap { name, mode in
            [
                ("open O_TRUNC, \(name)", "open", [path, mode | Int(O_TRUNC)]),
                ("openat O_TRUNC, \(name)", "openat", [current, path, mode | Int(O_TRUNC)]),
            ]
        }
        let owning = [0o4755, 0o2755, 0o6755].flatMap { mode in
            [
                ("open 0\(String(mode, radix: 8))", "open", [other, create, mode]),
                ("openat 0\(String(mode, radix: 8))", "openat", [current, other, create, mode]),
                ("openat O_TMPFILE 0\(String(mode, radix: 8))", "openat", [current, address("."), 0o20200001, mode]),
                ("creat 0\(String(mode, radix: 8))", "creat", [other, mode]),
                ("mkdir 0\(String(mode, radix: 8))", "mkdir", [other, mode]),
                ("mkdirat 0\(String(mode, radix: 8))", "mkdirat", [current, other, mode]),
            ]
        }
        return emptying + owning + [("truncate", "truncate", [path, 0]), ("open access mode 3", "open", [path, 3])]
    }

    /// Returns the calls without functions in the C library, by number.
    private static func calls(on file: Int, _ path: Int, _ room: Int) -> [Call] {
        #if arch(x86_64)
        let numbers = [
            ("bpf", 321), ("perf_event_open", 298), ("userfaultfd", 323), ("keyctl", 250), ("ioprio_set", 251),
        ]
        #else
        let numbers = [
            ("bpf", 280), ("perf_event_open", 241), ("userfaultfd", 282), ("keyctl", 219), ("ioprio_set", 30),
        ]
        #endif
        let common = [
            ("pidfd_send_signal", 424), ("io_uring_setup", 425), ("open_tree", 428), ("move_mount", 429),
            ("fsopen", 430),
            ("pidfd_open", 434), ("clone3", 435), ("openat2", 437), ("pidfd_getfd", 438), ("process_madvise", 440),
            ("mount_setattr", 442), ("landlock_create_ruleset", 444), ("memfd_secret", 447), ("fchmodat2", 452),
            ("setxattrat", 463), ("a call that no kernel has", 999),
        ]
        return (numbers + common).map { name, number in (name, "syscall", [number, file, path, 0, 0, room]) }
    }

    /// Calls a function of the C library, and returns 0 or the error; nil if the function does not exist.
    private static func call(_ function: String, _ arguments: [Int]) -> CInt? {
        typealias Function = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int
        guard let symbol = dlsym(nil, function) else { return nil }
        let all = arguments + [Int](repeating: 0, count: 6 - arguments.count)
        errno = 0
        let result = unsafeBitCast(symbol, to: Function.self)(all[0], all[1], all[2], all[3], all[4], all[5])
        // Most functions return an int, so ignore the upper half of the register.
        return Int32(truncatingIfNeeded: result) == -1 ? errno : 0
    }

    // The memory is not freed, because the process ends soon.

    private static func address(_ text: String) -> Int { Int(bitPattern: strdup(text)) }

    private static func unixAddress(_ path: String) -> Int {
        let address = UnsafeMutablePointer<sockaddr_un>.allocate(capacity: 1)
        address.initialize(to: sockaddr_un())
        address.pointee.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.pointee.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
        return Int(bitPattern: address)
    }

    /// Returns a message to a Unix socket's path with a file descriptor (`SCM_RIGHTS`).
    private static func message(passing descriptor: Int) -> Int {
        let control = UnsafeMutablePointer<Int32>.allocate(capacity: 6)
        // The fields are the length (8 bytes), level, type and descriptor.
        control.initialize(repeating: 0, count: 6)
        (control[0], control[2], control[3], control[4]) = (20, 1, 1, Int32(descriptor))
        let message = UnsafeMutablePointer<msghdr>.allocate(capacity: 1)
        message.initialize(to: msghdr())
        message.pointee.msg_name = UnsafeMutableRawPointer(bitPattern: unixAddress("/tmp/printq-nobody"))
        message.pointee.msg_namelen = 110
        message.pointee.msg_control = UnsafeMutableRawPointer(control)
        message.pointee.msg_controllen = 24
        return Int(bitPattern: message)
    }

    /// Returns the families and types of sockets that can be created.
    static func sockets() -> String {
        var made: [String] = []
        for family in CInt(0)...46 {
            for type in CInt(1)...6 where type != 4 && socket(family, type, 0) >= 0 { made.append("\(family)/\(type)") }
        }
        return made.isEmpty ? "none" : made.joined(separator: " ")
    }

    /// Returns the identity and privileges of this process from `/proc/self/status`: `Uid`, `Gid`, `Groups`,
    /// `NoNewPrivs`, `Cap…`.
    static func identity() -> String {
        var text = [UInt8](repeating: 0, count: 8192)
        let file = open("/proc/self/status", O_RDONLY)
        let count = max(read(file, &text, text.count), 0)
        let names = ["Uid:", "Gid:", "Groups:", "NoNewPrivs:", "Cap"]
        return String(decoding: text[..<count], as: UTF8.self).split(separator: "\n")
            .filter { line in names.contains { line.hasPrefix($0) } }
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.joined(separator: ", ")
    }
}
