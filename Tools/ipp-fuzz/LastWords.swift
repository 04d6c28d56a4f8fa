// What the program says when it dies: at which request it was.

import Glibc
import Synchronization

/// Remembers which request is being answered, says it when the program dies of it, and ends one that is never answered.
enum LastWords {
    private static let world = Atomic<UInt64>(0)
    private static let request = Atomic<UInt64>(0)

    /// How long a request may take, in seconds, before it counts as one that is never answered.
    private static let patience: UInt32 = 60

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
        if request.isMultiple(of: 64) { alarm(patience) }
    }

    static func rest() { alarm(0) }

    /// Says it with what may be called while a signal is handled: no memory is taken.
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
