// A form on a terminal, independent of the terminal itself. The form receives keys and returns lines of text.

import PrintKit

enum TerminalKey: Hashable, Sendable {
    case up, down, left, right, enter, escape, backspace
    /// Control-P.
    case print
    case character(Character)
}

enum FormOutcome<Value: Sendable>: Sendable {
    case open
    case accepted(Value)
    case cancelled
}

protocol TerminalForm: Sendable {
    associatedtype Value: Sendable
    /// The subject of the form in messages, such as `the preview`.
    var subject: String { get }
    /// The advice for a program without a terminal.
    var alternative: String { get }
    mutating func handle(_ key: TerminalKey) -> FormOutcome<Value>
    /// Whether displayed values, such as the number of pages, must be computed again.
    var isStale: Bool { get }
    mutating func renew() async
    /// The first line of the form.
    var title: String { get }
    /// The lines of the form between the first line and the last line.
    var rows: [String] { get }
    /// The last line of the form.
    var hint: String { get }
}

extension TerminalForm {
    var isStale: Bool { false }
    mutating func renew() async {}

    /// Returns a framed popover for a wide terminal, otherwise a sheet over the whole width.
    ///
    /// A popover begins at the column of its rectangle, as far as the terminal is wide enough.
    func screen(width: Int, style: PresentationStyle) -> [String] {
        let isWide = width >= 64 && style != .sheet
        let inner = isWide ? min(60, width - 4) : max(1, width - 1)
        let lines = ([title, ""] + rows + [""]).map { TerminalText($0).cut(to: inner) }
        let content = lines + TerminalText(hint).wrapped(to: inner)
        guard isWide else { return content.map(\.text) }
        let rule = String(repeating: "─", count: inner + 2)
        var indent = ""
        if case .popover(let rect) = style, rect.origin.x.isFinite {
            indent = String(repeating: " ", count: Int(max(0, min(rect.origin.x, Double(width - inner - 4)))))
        }
        let frame = ["┌\(rule)┐"] + content.map { "│ \($0.padded(to: inner)) │" } + ["└\(rule)┘"]
        return frame.map { indent + $0 }
    }
}

struct KeyReader {
    private var pending: [UInt8] = []

    /// Whether pending bytes can be the Escape key or the beginning of an arrow key.
    var isWaiting: Bool { !pending.isEmpty }

    mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        for byte in bytes {
            pending.append(byte)
            if let key = takeKey() { keys.append(key) }
        }
        return keys
    }

    /// Returns the Escape key if the pending bytes begin with the Escape byte, and discards the pending bytes.
    ///
    /// Call this method when no more bytes arrive.
    mutating func flush() -> [TerminalKey] {
        defer { pending = [] }
        return pending.first == 0x1B ? [.escape] : []
    }

    /// Returns the key that the pending bytes encode.
    ///
    /// Returns `nil` when the bytes are incomplete or unknown.
    private mutating func takeKey() -> TerminalKey? {
        if pending[0] == 0x1B { return takeSequence() }
        let byte = pending[0]
        pending = []
        switch byte {
        case 0x0D, 0x0A: return .enter
        case 0x7F, 0x08: return .backspace
        case 0x09: return .down
        case 0x10: return .print
        // Control-C and Control-D, which a terminal in raw mode sends as bytes.
        case 0x03, 0x04: return .escape
        case 0x20..<0x7F: return .character(Character(UnicodeScalar(byte)))
        default: return nil
        }
    }

    /// Reads an arrow key: `ESC [ A` or `ESC O A`, with optional numbers.
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
