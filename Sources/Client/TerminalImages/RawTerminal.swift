// Switches a terminal to raw mode, and restores it whatever ends the program.

import Glibc
import Synchronization

/// A terminal in raw mode, on standard input and standard output.
///
/// The previous mode is restored when the last reference is released. While the object exists, the signals that end a
/// program by the user (`SIGINT`, `SIGTERM`, `SIGHUP`, `SIGQUIT`) and the change of the window's size (`SIGWINCH`) are
/// received as events, so that the terminal is restored before the program ends.
public final class RawTerminal {
    /// An event.
    public enum Event: Hashable, Sendable {
        /// Bytes of keys, or of the terminal's replies.
        case input([UInt8])
        /// The other descriptor has data, or has reached the end of its data.
        case readable
        /// The window has another size.
        case resized
        /// The time limit has passed.
        case timeout
        /// The terminal was closed, or a signal ends the program; the number of the signal, or 0.
        case ended(signal: Int32)
    }

    /// The descriptor to which a signal handler writes the number of the signal; -1 if there is no terminal.
    private static let signalEnd = Atomic<Int32>(-1)
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH]

    private let input: Int32
    private let output: Int32
    private var before: termios
    private let signalReader: Int32
    private let signalWriter: Int32

    /// Switches the terminal to raw mode.
    ///
    /// - Returns: Nil if the descriptors are not terminals, or if another object exists.
    public init?(input: Int32 = 0, output: Int32 = 1) {
        var mode = termios()
        guard isatty(output) == 1, tcgetattr(input, &mode) == 0 else { return nil }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        let claim = Self.signalEnd.compareExchange(
            expected: -1, desired: ends[1], ordering: .sequentiallyConsistent)
        guard claim.exchanged else {
            ends.forEach { close($0) }
            return nil
        }
        (self.input, self.output, before, signalReader, signalWriter) = (input, output, mode, ends[0], ends[1])
        for number in Self.signals {
            signal(number) { number in
                var byte = UInt8(number)
                _ = Glibc.write(RawTerminal.signalEnd.load(ordering: .relaxed), &byte, 1)
            }
        }
        mode.c_iflag &= ~tcflag_t(ICRNL | IXON | BRKINT | INPCK | ISTRIP)
        mode.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        tcsetattr(input, TCSAFLUSH, &mode)
    }

    deinit {
        tcsetattr(input, TCSAFLUSH, &before)
        for number in Self.signals { signal(number, SIG_DFL) }
        Self.signalEnd.store(-1, ordering: .sequentiallyConsistent)
        close(signalReader)
        close(signalWriter)
    }

    /// The size of the window; 80 by 24 cells if the terminal does not report it.
    public var size: TerminalSize { TerminalSize(ofTerminal: output) }

    /// Waits for an event.
    ///
    /// - Parameters:
    ///   - other: Another descriptor to wait for; nil for none.
    ///   - milliseconds: The time limit; nil for no limit.
    public func nextEvent(or other: Int32? = nil, within milliseconds: Int? = nil) -> Event {
        var files = [input, signalReader, other ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let ready = poll(&files, nfds_t(files.count), Int32(milliseconds ?? -1))
            if ready < 0, errno == EINTR { continue }
            guard ready >= 0 else { return .ended(signal: 0) }
            if ready == 0 { return .timeout }
            if files[1].revents != 0 {
                var number: UInt8 = 0
                guard read(signalReader, &number, 1) == 1 else { continue }
                return Int32(number) == SIGWINCH ? .resized : .ended(signal: Int32(number))
            }
            if files[0].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 1024)
                let count = read(input, &bytes, bytes.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                return count > 0 ? .input(Array(bytes[..<count])) : .ended(signal: 0)
            }
            return .readable
        }
    }

    /// Asks the terminal for its image protocols.
    ///
    /// - Parameter milliseconds: The time limit for each part of the reply; the reply of a terminal that does not answer
    ///   is incomplete.
    public func askForGraphics(within milliseconds: Int = 250) -> TerminalReply {
        write(TerminalReply.query)
        var received: [UInt8] = []
        while received.count < 4096 {
            guard case .input(let bytes) = nextEvent(within: milliseconds) else { break }
            received += bytes
            let reply = TerminalReply(received)
            if reply.isComplete { return reply }
        }
        return TerminalReply(received)
    }

    /// Writes bytes to the terminal.
    public func write(_ bytes: [UInt8]) { Self.write(bytes, to: output) }

    static func write(_ bytes: [UInt8], to output: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress! + sent, bytes.count - sent) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var file = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                _ = poll(&file, 1, -1)
                continue
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

extension TerminalSize {
    /// Creates the size of a terminal; 80 by 24 cells if the terminal does not report it.
    public init(ofTerminal descriptor: Int32) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            self.init(columns: 80, rows: 24)
            return
        }
        let (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
        if size.ws_xpixel > 0, size.ws_ypixel > 0 {
            self.init(
                columns: columns, rows: rows, cellWidth: Int(size.ws_xpixel) / columns,
                cellHeight: Int(size.ws_ypixel) / rows)
        } else {
            self.init(columns: columns, rows: rows)
        }
    }
}
