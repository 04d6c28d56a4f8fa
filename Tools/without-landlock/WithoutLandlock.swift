// Runs a program without Landlock, as on an older kernel: `without-landlock PROGRAM ARGUMENT…`.

import Glibc

@main
enum WithoutLandlock {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let program = arguments.first else { fail("usage: without-landlock PROGRAM ARGUMENT…") }
        // Landlock has the system calls 444 to 446 on every architecture. The filter makes them fail.
        let filter: [UInt64] = [
            instruction(0x20, 0),  // load the number of the call
            instruction(0x35, 444, no: 2),  // is the number at least 444?
            instruction(0x25, 446, yes: 1),  // is the number greater than 446?
            instruction(0x06, 0x0005_0000 | UInt32(ENOSYS)),
            instruction(0x06, 0x7FFF_0000),  // allow
        ]
        let isFiltered = filter.withUnsafeBufferPointer { code in
            // struct sock_fprog contains a length and a pointer to the instructions.
            withUnsafePointer(to: (UInt(code.count), UInt(bitPattern: code.baseAddress))) { program in
                call("prctl", 38, 1) == 0  // PR_SET_NO_NEW_PRIVS
                    && call("prctl", 22, 2, Int(bitPattern: program)) == 0  // PR_SET_SECCOMP
            }
        }
        guard isFiltered else { fail("the kernel rejected the filter: \(String(cString: strerror(errno)))") }
        let list = arguments.map { strdup($0) } + [nil]
        execv(program, list)
        fail("cannot start '\(program)': \(String(cString: strerror(errno)))")
    }

    private static func instruction(_ code: UInt16, _ value: UInt32, yes: UInt8 = 0, no: UInt8 = 0) -> UInt64 {
        UInt64(code) | UInt64(yes) << 16 | UInt64(no) << 24 | UInt64(value) << 32
    }

    private static func call(_ function: String, _ option: Int, _ first: Int, _ second: Int = 0) -> Int32 {
        typealias Function = @convention(c) (Int, Int, Int, Int, Int) -> Int32
        guard let symbol = dlsym(nil, function) else { return -1 }
        return unsafeBitCast(symbol, to: Function.self)(option, first, second, 0, 0)
    }

    private static func fail(_ message: String) -> Never {
        let line = "without-landlock: \(message)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        exit(1)
    }
}
