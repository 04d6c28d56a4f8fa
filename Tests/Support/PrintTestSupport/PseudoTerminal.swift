// Provides a pseudoterminal for tests.

public import Glibc
import Synchronization
import Testing

/// A terminal whose other side is controlled by a test.
public final class PseudoTerminal: Sendable {
    /// The path of the terminal device.
    public let path: String
    private let master: Int32
    /// An open descriptor that preserves the terminal's attributes after its last program has ended.
    private let slave: Int32
    private let isOpen = Atomic(true)

    /// Creates a terminal of 24 lines.
    public init(columns: Int = 60) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(master >= 0)
        // Use TIOCSPTLCK and TIOCGPTN, because Swift cannot call unlockpt(3) and ptsname(3).
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

    /// The attributes of the terminal.
    public var attributes: termios {
        var attributes = termios()
        tcgetattr(slave, &attributes)
        return attributes
    }

    /// Types text on the keyboard.
    public func write(_ text: String) { _ = text.withCString { Glibc.write(master, $0, strlen($0)) } }

    /// Hangs up the terminal.
    public func hangUp() {
        if isOpen.exchange(false, ordering: .relaxed) { close(master) }
    }

    /// Returns the arguments for `/bin/sh` to run a program on this terminal; its standard output stays the caller's.
    public func shellArguments(running program: String, _ arguments: [String]) -> [String] {
        ["-c", "exec setsid -c -w \"$@\" <\"$0\"", path, program] + arguments
    }

    /// Reads the screen output up to and including a text.
    public func read(until text: String) async throws -> String {
        let master = master
        return try await withCheckedThrowingContinuation { continuation in
            let reader = Reader(master, text) { continuation.resume(returning: $0) }
            reader.start()
        }
    }
}

/// A reader that runs on a separate thread.
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
