// Filters of system calls, as instructions of the kernel's packet filter (`struct sock_filter`).

import Glibc

enum CallFilter {
    static let allow = instruction(0x06, 0x7FFF_0000)

    static func instruction(_ code: UInt16, _ value: UInt32, yes: UInt8 = 0, no: UInt8 = 0) -> UInt64 {
        UInt64(code) | UInt64(yes) << 16 | UInt64(no) << 24 | UInt64(value) << 32
    }

    /// Loads four bytes of `struct seccomp_data`.
    static func load(offset: UInt32) -> UInt64 { instruction(0x20, offset) }

    /// Installs a filter for this process and the programs it executes.
    ///
    /// - Returns: With the flag `SECCOMP_FILTER_FLAG_NEW_LISTENER`, a descriptor; otherwise 0; -1 on failure.
    static func install(_ filter: [UInt64], flags: Int = 0) -> Int32 {
        filter.withUnsafeBufferPointer { code in
            // struct sock_fprog contains a length and a pointer to the instructions.
            withUnsafePointer(to: (UInt(code.count), UInt(bitPattern: code.baseAddress))) { program in
                guard call("prctl", 38, 1) == 0 else { return -1 }  // PR_SET_NO_NEW_PRIVS
                return call("syscall", seccomp, 1, flags, Int(bitPattern: program))  // SECCOMP_SET_MODE_FILTER
            }
        }
    }

    #if arch(x86_64)
    private static let seccomp = 317
    #else
    private static let seccomp = 277
    #endif

    /// Calls a function of the C library that Swift does not import, because its arguments vary.
    static func call(_ function: String, _ arguments: Int...) -> Int32 {
        typealias Function = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int
        guard let symbol = dlsym(nil, function) else { return -1 }
        let all = arguments + [Int](repeating: 0, count: 6 - arguments.count)
        let result = unsafeBitCast(symbol, to: Function.self)(all[0], all[1], all[2], all[3], all[4], all[5])
        return Int32(truncatingIfNeeded: result)
    }
}
