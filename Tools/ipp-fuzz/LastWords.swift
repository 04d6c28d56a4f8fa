// Prints the current request when the program crashes.

import Glibc
import Synchronization

/// A record of the current request, for a message when the program crashes or a request gets no response.
enum LastWords {
    private static let world = Atomic<UInt64>(0)
    private static let request = Atomic<UInt64>(0)

    /// The time limit for a request, in seconds.
    private static let timeout: UInt32 = 60

    static func prepare() {
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM] {
            signal(number) { number in
                LastWords.say(number)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func note(world: UInt64, request: Int) {
        Self.world.store(world, ordering: .relaxed)
        Self.request.store(UInt64(request), ordering: .relaxed)
        if request.isMultiple(of: 64) { alarm(timeout) }
    }

    static func rest() { alarm(0) }

    /// Prints the request with functions that are safe in a signal handler; no memory is allocated.
    private static func say(_ number: Int32) {
        put(number == SIGALRM ? "\nipp-fuzz: never answered: world " : "\nipp-fuzz: died at: world ")
        put(world.load(ordering: .relaxed))
        put(" request ")
        put(request.load(ordering: .relaxed))
        put("\n")
    }

    private static func put(_ words: StaticString) { _ = write(2, words.utf8Start, words.utf8CodeUnitCount) }

    private static func put(_ number: UInt64) {
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            var digit = UInt8(ascii: "0") + UInt8(number / divisor % 10)
            _ = write(2, &digit, 1)
            divisor /= 10
        }
    }
}
