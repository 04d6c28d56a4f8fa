// Reads and writes a terminal in raw mode.

import AsyncPrimitives
import Dispatch
import Glibc
import PrintKit
import SafeFiles
import Synchronization

/// A terminal in raw mode.
///
/// Deinitialization restores the previous mode.
final class Terminal {
    private let descriptor: Int32
    private var before: termios
    private var shownLines = 0

    private init(_ descriptor: Int32, before: termios) {
        (self.descriptor, self.before) = (descriptor, before)
        var raw = before
        raw.c_iflag &= ~tcflag_t(ICRNL | IXON | BRKINT | INPCK | ISTRIP)
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        tcsetattr(descriptor, TCSAFLUSH, &raw)
    }

    /// Opens a terminal.
    ///
    /// The function reads the mode before it creates the object, because `deinit` restores the mode.
    ///
    /// - Throws: `printingNotAvailable` when there is no terminal. The message contains the subject of the form.
    private static func open(_ path: String, for form: some TerminalForm) throws(PrintError) -> Terminal {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var before = termios()
        guard descriptor >= 0, tcgetattr(descriptor, &before) == 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw PrintError(
                .printingNotAvailable,
                "cannot show \(form.subject) because there is no terminal ('\(path)': \(reason)); \(form.alternative)")
        }
        return Terminal(descriptor, before: before)
    }

    deinit {
        write(Self.erasing(shownLines) + "\u{1B}[?25h")
        tcsetattr(descriptor, TCSAFLUSH, &before)
        close(descriptor)
    }

    /// Shows a form until the person accepts or cancels the form.
    ///
    /// Returns `nil` when the form or the task was canceled, or the terminal was closed.
    static func run<Form: TerminalForm>(
        _ form: Form, style: PresentationStyle, at path: String
    ) async throws -> Form.Value? {
        let waker = try Waker()
        let (stale, teller) = AsyncStream.makeStream(of: Renewal<Form>.self)
        return try await withTaskCancellationHandler {
            async let renewing: Void = { for await renewal in stale { await renewal.run() } }()
            let value = try await withCheckedThrowingContinuation { continuation in
                // The thread blocks until a key is pressed, so it must not be a thread of the Swift task pool.
                let code = DedicatedThread.start {
                    continuation.resume(with: Result { try follow(form, style: style, at: path, waker, teller) })
                }
                precondition(code == 0, "cannot create a thread")
            }
            teller.finish()
            await renewing
            return value
        } onCancel: {
            waker.wake()
        }
    }

    private static func follow<Form: TerminalForm>(
        _ form: Form, style: PresentationStyle, at path: String, _ waker: Waker,
        _ teller: AsyncStream<Renewal<Form>>.Continuation
    ) throws -> Form.Value? {
        let terminal = try open(path, for: form)
        var (form, reader) = (form, KeyReader())
        while true {
            terminal.show(form.screen(width: terminal.width, style: style))
            guard let keys = terminal.nextKeys(&reader, waker) else { return nil }
            for key in keys {
                switch form.handle(key) {
                case .open: break
                case .accepted(let value): return value
                case .cancelled: return nil
                }
            }
            if form.isStale { form = Renewal.of(form, by: teller) }
        }
    }

    /// The width of the terminal in columns.
    ///
    /// The default is 80 if the terminal does not report its width.
    private var width: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Replaces the previous lines on the terminal with new lines.
    ///
    /// The method hides the cursor, and moves the cursor to the line below the new lines.
    private func show(_ lines: [String]) {
        write(Self.erasing(shownLines) + "\u{1B}[?25l" + lines.map { $0 + "\r\n" }.joined())
        shownLines = lines.count
    }

    private static func erasing(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A\r\u{1B}[J" : "" }

    /// Waits for the next keys from the terminal.
    ///
    /// Returns `nil` when the task is canceled or the terminal is closed.
    private func nextKeys(_ reader: inout KeyReader, _ waker: Waker) -> [TerminalKey]? {
        var files = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        // The bytes of other keys begin with Escape. If no byte follows within 50 ms, the key is Escape.
        let ready = poll(&files, 2, reader.isWaiting ? 50 : -1)
        if ready < 0 { return errno == EINTR ? [] : nil }
        if ready == 0 { return reader.flush() }
        if files[1].revents != 0 { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? reader.read(bytes.prefix(count)) : nil
    }

    private func write(_ text: String) {
        try? FileBytes.write(text.utf8, to: descriptor)
    }
}

/// A request with which the terminal's thread asks a task to update a form.
///
/// The thread waits for the updated form.
private final class Renewal<Form: TerminalForm>: Sendable {
    private final class Reply: Sendable {
        let form: Mutex<Form>
        let isThere = DispatchSemaphore(value: 0)
        init(_ form: Form) { self.form = Mutex(form) }
    }

    private let reply: Reply

    private init(_ reply: Reply) { self.reply = reply }

    /// Signals the waiting thread, even if the form was not updated.
    deinit { reply.isThere.signal() }

    /// Returns the updated form, or the unchanged form if the task has ended.
    ///
    /// Blocks the calling thread.
    static func of(_ form: Form, by teller: AsyncStream<Renewal>.Continuation) -> Form {
        let reply = Reply(form)
        teller.yield(Renewal(reply))
        reply.isThere.wait()
        return reply.form.withLock { $0 }
    }

    func run() async {
        var form = reply.form.withLock { $0 }
        await form.renew()
        reply.form.withLock { [form] in $0 = form }
    }
}

/// An object that wakes a thread from poll(2).
private final class Waker: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(PrintError) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw PrintError(.jobFailed, "cannot create a pair of sockets: \(String(cString: strerror(errno)))")
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 1
        _ = Glibc.write(writeEnd, &byte, 1)
    }
}
