// A terminal without a person.

public import Glibc
import Synchronization
import Testing

/// A terminal whose other side a test holds.
public final class PseudoTerminal: Sendable {
    /// The terminal's file.
    public let path: String
    private let master: Int32
    /// Held open, so that the terminal's attributes outlive its last program.
    private let slave: Int32
    private let isOpen = Atomic(true)

    /// A terminal of 24 lines.
    public init(columns: Int = 60) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0)
        // What unlockpt(3) and ptsname(3) do, which Swift does not see: TIOCSPTLCK and TIOCGPTN.
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        try #require(ioctl(master, 0x4004_5431, &isLocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        #expect(slave >= 0)
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    }

    deinit {
        close(slave)
        hangUp()
    }

    /// How the terminal is set.
    public var attributes: termios {
        var attributes = termios()
        tcgetattr(slave, &attributes)
        return attributes
    }

    /// Presses keys.
    public func write(_ text: String) { _ = text.withCString { Glibc.write(master, $0, strlen($0)) } }

    /// Takes the terminal away from its programs.
    public func hangUp() {
        if isOpen.exchange(false, ordering: .relaxed) { close(master) }
    }

    /// Arguments with which `/bin/sh` runs a program on this terminal; its standard output is still the caller's.
    public func shellArguments(running program: String, _ arguments: [String]) -> [String] {
        ["-c", "exec setsid -c -w \"$@\" <\"$0\"", path, program] + arguments
    }

    /// What has come on the screen, up to a text.
    public func read(until text: String) async throws -> String {
        let master = master
        return try await withCheckedThrowingContinuation { continuation in
            let reader = Reader(master, text) { continuation.resume(returning: $0) }
            reader.start()
        }
    }
}

/// Reads on a thread of its own.
private final class Reader {
    private let file: Int32
    private let wanted: String
    private let done: @Sendable (String) -> Void

    init(_ file: Int32, _ wanted: String, _ done: @escaping @Sendable (String) -> Void) {
        (self.file, self.wanted, self.done) = (file, wanted, done)
    }

    func start() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { reader in
                let reader = Unmanaged<Reader>.fromOpaque(reader!).takeRetainedValue()
                var (seen, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
                while !String(decoding: seen, as: UTF8.self).contains(reader.wanted) {
                    let count = Glibc.read(reader.file, &bytes, bytes.count)
                    guard count > 0 else { break }
                    seen += bytes.prefix(count)
                }
                reader.done(String(decoding: seen, as: UTF8.self))
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
    }
}
