// Runs a program without Landlock, or without its newer versions, as on an older kernel.
//
// `without-landlock [--above VERSION] PROGRAM ARGUMENT…`

import Glibc

@main
enum WithoutLandlock {
    private static let usage = "usage: without-landlock [--above VERSION] PROGRAM ARGUMENT…"

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--above" {
            arguments.removeFirst()
            guard let version = arguments.popFirst().flatMap(Int.init), version > 0 else { fail(usage) }
            LandlockVersion.limit(to: version)
        } else {
            // Landlock has the system calls 444 to 446 on every architecture. The filter makes them fail.
            let filter = [
                CallFilter.load(offset: 0),  // the number of the call
                CallFilter.instruction(0x35, 444, no: 2),  // is the number at least 444?
                CallFilter.instruction(0x25, 446, yes: 1),  // is the number greater than 446?
                CallFilter.instruction(0x06, 0x0005_0000 | UInt32(ENOSYS)),
                CallFilter.allow,
            ]
            guard CallFilter.install(filter) == 0 else { failed("the kernel rejected the filter") }
        }
        guard let program = arguments.first else { fail(usage) }
        let list = arguments.map { strdup($0) } + [nil]
        execv(program, list)
        failed("cannot start '\(program)'")
    }

    static func failed(_ step: String) -> Never { fail("\(step): \(String(cString: strerror(errno)))") }

    private static func fail(_ message: String) -> Never {
        let line = "without-landlock: \(message)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        exit(1)
    }
}
