// Switches a terminal to raw mode, and restores it whatever ends the program.

import Glibc
import Synchronization

/// A terminal in raw mode, on standard input and standard output.
///
/// The previous mode is restored when the last reference to the object is released. While the object exists, the
/// program receives `SIGINT`, `SIGTERM`, `SIGHUP`, `SIGQUIT` and `SIGWINCH` as events. Therefore the program can
/// restore the terminal before it ends.
public final class RawTerminal {
    /// An event of the terminal.
    public enum Event: Hashable, Sendable {
        /// Bytes from the terminal: keys, or replies of the terminal.
        case input([UInt8])
        /// Data, or the end of the data, at the additional descriptor of `nextEvent(or:within:)`.
        case readable
        /// A change of the window size.
        case resized
        /// The end of the time limit.
        case timeout
        /// An event after which the program must end: a signal arrived, or the terminal was closed. The value is the
        /// number of the signal, or 0 if the terminal was closed.
        case ended(signal: Int32)
    }

    /// The descriptor to which a signal handler writes the number of the signal; -1 if no `RawTerminal` exists.
    private static let signalEnd = Atomic<Int32>(-1)
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH]

    private let input: Int32
    private let output: Int32
    private var before: termios
    private let handlesSignals: Bool
    private let signalReader: Int32
    private let signalWriter: Int32

    /// Switches the terminal to raw mode.
    ///
    /// - Parameter handlesSignals: Whether signals become events. A library passes false, because the handlers of signals
    ///   belong to the program.
    /// - Returns: The terminal; nil if standard input or standard output is not a terminal, or if another `RawTerminal`
    ///   handles the signals.
    public init?(input: Int32 = 0, output: Int32 = 1, handlesSignals: Bool = true) {
        var mode = termios()
        guard isatty(output) == 1, tcgetattr(input, &mode) == 0 else { return nil }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        guard
            !handlesSignals
                || Self.signalEnd.compareExchange(expected: -1, desired: ends[1], ordering: .sequentiallyConsistent)
                    .exchanged
        else {
            ends.forEach { close($0) }
            return nil
        }
        (self.input, self.output, before, signalReader, signalWriter) = (input, output, mode, ends[0], ends[1])
        self.handlesSignals = handlesSignals
        for number in handlesSignals ? Self.signals : [] {
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
        if handlesSignals { for number in Self.signals { signal(number, SIG_DFL) } }
        if handlesSignals { Self.signalEnd.store(-1, ordering: .sequentiallyConsistent) }
        close(signalReader)
        close(signalWriter)
    }

    /// The size of the window; 80 by 24 cells if the terminal does not report its size.
    public var size: TerminalSize { TerminalSize(ofTerminal: output) }

    /// Waits for an event.
    ///
    /// - Parameters:
    ///   - other: An additional descriptor to wait for; nil to wait only for the terminal and for signals.
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

    /// Asks the terminal which image protocols the terminal supports.
    ///
    /// - Parameter milliseconds: The time limit for each part of the reply. If a part does not arrive in time, the
    ///   function returns an incomplete reply.
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
    /// Reads the size of the terminal; 80 by 24 cells if the terminal does not report its size.
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
