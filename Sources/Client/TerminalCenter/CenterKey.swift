// Converts the bytes of a terminal to keys.

/// A key of the terminal Print Center.
package enum CenterKey: Hashable, Sendable {
    /// A character, such as `h` or `/`.
    case character(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, backspace, tab
    /// Control-C or Control-D, which a terminal in raw mode sends as bytes.
    case interrupt
    /// Control-L, which redraws the screen.
    case redraw
}

/// A reader that converts bytes to keys.
///
/// The bytes of one key can arrive in several parts. If no further bytes arrive, ``flush()`` converts a single Escape
/// byte to the Escape key.
package struct CenterKeyReader: Sendable {
    private var pending: [UInt8] = []

    package init() {}

    /// Whether the bytes that have arrived end with an incomplete key.
    package var isWaiting: Bool { !pending.isEmpty }

    /// Adds received bytes, and returns the complete keys.
    ///
    /// Unknown keys are ignored.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [CenterKey] {
        pending += bytes
        var keys: [CenterKey] = []
        while let (key, length) = first() {
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Returns the Escape key if only the Escape byte has arrived.
    ///
    /// The function discards any other incomplete key.
    package mutating func flush() -> [CenterKey] {
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    /// Returns the first key in the pending bytes, and the length of the key in bytes.
    ///
    /// The key is nil if the key is unknown. The whole result is nil if the key is incomplete.
    private func first() -> (CenterKey?, Int)? {
        guard let byte = pending.first else { return nil }
        switch byte {
        case 0x1B: return sequence()
        case 0x03, 0x04: return (.interrupt, 1)
        case 0x0C: return (.redraw, 1)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x08, 0x7F: return (.backspace, 1)
        case 0x09: return (.tab, 1)
        case 0..<0x20: return (nil, 1)
        default: return character(byte)
        }
    }

    /// Parses the UTF-8 character that begins with the given byte.
    private func character(_ byte: UInt8) -> (CenterKey?, Int)? {
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        guard pending.count >= length else { return nil }
        guard let text = String(validating: pending.prefix(length), as: UTF8.self), let character = text.first else {
            return (nil, 1)
        }
        return (.character(character), length)
    }

    /// Parses a key that consists of several bytes, such as `ESC [ A`, `ESC O A` or `ESC [ 6 ~`.
    private func sequence() -> (CenterKey?, Int)? {
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return (.escape, 1) }
        guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            // A sequence that never ends is discarded.
            return pending.count > 32 ? (nil, pending.count) : nil
        }
        let key: CenterKey? =
            switch String(decoding: pending[2...end], as: UTF8.self) {
            case "A": .up
            case "B": .down
            case "C": .right
            case "D": .left
            case "5~": .pageUp
            case "6~": .pageDown
            case "H", "1~", "7~": .home
            case "F", "4~", "8~": .end
            case "M": .enter
            default: nil
            }
        return (key, end + 1)
    }
}
