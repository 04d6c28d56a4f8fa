// Tries operations that the sandbox must forbid, and some that it must allow.

import Glibc

/// Tries one system call and returns the result.
enum Attempt {
    static func attempt(_ order: String, _ argument: String) -> String {
        switch order {
        case "read": result(of: reading(argument))
        case "list": result(of: opendir(argument) == nil ? -1 : 0)
        case "create": result(of: open(argument, O_CREAT | O_WRONLY, 0o600))
        case "symlink": result(of: symlink("/etc/passwd", argument))
        case "socket": result(of: socket(families[argument] ?? -1, CInt(SOCK_STREAM.rawValue), 0))
        case "socketpair": result(of: pair())
        case "connect": result(of: connecting(to: argument))
        case "fork": result(of: forking())
        case "exec": result(of: executing(argument))
        case "session": result(of: setsid())
        case "signal": result(of: kill(getppid(), 0))
        case "thread": result(of: threading())
        case "sockets": RefusedCalls.sockets()
        case "identity": RefusedCalls.identity()
        default: "no such order"
        }
    }

    private static let families: [String: CInt] = [
        "unix": AF_UNIX, "inet": AF_INET, "inet6": AF_INET6, "netlink": AF_NETLINK, "packet": AF_PACKET,
    ]

    static func write(mebibytes: Int, to path: String) -> String {
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        if file < 0 { return result(of: file) }
        var block = [UInt8](repeating: 65, count: 1 << 20)
        block.replaceSubrange(..<5, with: "%PDF-".utf8)
        for _ in 0..<mebibytes where Glibc.write(file, block, block.count) < 0 { return result(of: -1) }
        return result(of: close(file))
    }

    static func remove(_ path: String) -> String { result(of: unlink(path)) }

    private static func result(of value: CInt) -> String {
        value >= 0 ? "ok" : String(cString: strerror(errno))
    }

    private static func reading(_ path: String) -> CInt {
        let file = open(path, O_RDONLY)
        var byte: UInt8 = 0
        return file < 0 ? -1 : CInt(Glibc.read(file, &byte, 1))
    }

    private static func pair() -> CInt {
        var ends: [CInt] = [0, 0]
        return socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
    }

    private static func connecting(to path: String) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
        let end = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(end, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Calls fork(), which is not available in Swift.
    private static func forking() -> CInt {
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(nil, "fork") else { return -1 }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 { while true { pause() } }
        return child
    }

    private static func executing(_ path: String) -> CInt {
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        return execv(path, arguments)
    }

    private static func threading() -> CInt {
        var thread = pthread_t()
        let error = pthread_create(&thread, nil, { _ in nil }, nil)
        if error == 0 { pthread_join(thread, nil) }
        errno = error
        return error == 0 ? 0 : -1
    }
}

/// Functions that exhaust the memory.
enum Hunger {
    /// Allocates memory in small pieces.
    static func eat() -> Never {
        while true {
            let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 << 20)
            memset(piece, 1, 4 << 20)
        }
    }

    /// Allocates all memory at once; the allocation fails although little memory is in use.
    static func gulp() -> String {
        let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 40)
        piece.pointee = 1
        return "ok"
    }
}
