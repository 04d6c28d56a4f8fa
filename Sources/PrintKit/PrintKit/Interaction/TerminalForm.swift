// A form on a terminal, without the terminal: keys come in, lines go out.

/// A key that a person pressed.
enum TerminalKey: Hashable, Sendable {
    case up, down, left, right, enter, escape, backspace
    case character(Character)
}

/// What has become of a form.
enum FormOutcome<Value: Sendable>: Sendable {
    case open
    case accepted(Value)
    case cancelled
}

/// Something that is filled in by keystrokes.
protocol TerminalForm: Sendable {
    associatedtype Value: Sendable
    /// Takes a key.
    mutating func handle(_ key: TerminalKey) -> FormOutcome<Value>
    /// Whether something that it says must be found out anew.
    var isStale: Bool { get }
    /// Finds it out.
    mutating func renew() async
    /// The first line, the others, and what is said at the end.
    var title: String { get }
    var rows: [String] { get }
    var hint: String { get }
}

extension TerminalForm {
    var isStale: Bool { false }
    mutating func renew() async {}

    /// The form as lines of text: a framed popover where there is room, else a sheet over the whole width.
    func screen(width: Int, style: PresentationStyle) -> [String] {
        let isWide = width >= 64 && style != .sheet
        let inner = isWide ? min(60, width - 4) : max(1, width - 1)
        let lines = ([title, ""] + rows + [""]).map { TerminalText($0).cut(to: inner) }
        let content = lines + TerminalText(hint).wrapped(to: inner)
        guard isWide else { return content.map(\.text) }
        let rule = String(repeating: "─", count: inner + 2)
        return ["┌\(rule)┐"] + content.map { "│ \($0.padded(to: inner)) │" } + ["└\(rule)┘"]
    }
}

/// Makes keys of the bytes that a terminal sends.
struct KeyReader {
    private var pending: [UInt8] = []

    /// Whether bytes are left that may be the Escape key or the beginning of an arrow.
    var isWaiting: Bool { !pending.isEmpty }

    /// Takes bytes and returns the keys they make.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        for byte in bytes {
            pending.append(byte)
            if let key = takeKey() { keys.append(key) }
        }
        return keys
    }

    /// Nothing more has come: what is left was the Escape key.
    mutating func flush() -> [TerminalKey] {
        defer { pending = [] }
        return pending.first == 0x1B ? [.escape] : []
    }

    /// The key that the pending bytes are; nil while they are not whole, or are none that is known here.
    private mutating func takeKey() -> TerminalKey? {
        if pending[0] == 0x1B { return takeSequence() }
        let byte = pending[0]
        pending = []
        switch byte {
        case 0x0D, 0x0A: return .enter
        case 0x7F, 0x08: return .backspace
        case 0x09: return .down
        // Control-C and control-D, which raw mode passes on.
        case 0x03, 0x04: return .escape
        case 0x20..<0x7F: return .character(Character(UnicodeScalar(byte)))
        default: return nil
        }
    }

    /// `ESC [ A` or `ESC O A`, with numbers between.
    private mutating func takeSequence() -> TerminalKey? {
        guard pending.count > 1 else { return nil }
        if pending[1] == 0x1B {
            pending.removeFirst()
            return .escape
        }
        guard pending[1] == 0x5B || pending[1] == 0x4F else {
            pending = []
            return nil
        }
        guard pending.count > 2, let last = pending.last, last >= 0x40 else { return nil }
        pending = []
        switch last {
        case 0x41: return .up
        case 0x42: return .down
        case 0x43: return .right
        case 0x44: return .left
        case 0x5A: return .up
        default: return nil
        }
    }
}
