// Determines how many cells of a monospaced grid a character takes.

/// The width class of a character on a grid of cells.
enum CharacterWidth: Hashable, Sendable {
    /// A character that occupies no separate cell: a combining accent in the cell of the previous character, or an
    /// invisible character.
    case zero
    /// A character with one cell.
    case narrow
    /// A half-width katakana or Hangul letter: a character with one cell, from a font whose other characters have two
    /// cells.
    case half
    /// A character with two cells: Chinese, Japanese, Korean, emoji (UAX #11 `W` and `F`).
    case wide
    /// A character in a script that requires shaping. The width is known only after the character is shaped with
    /// adjacent characters.
    case shaped

    /// The number of cells that the character occupies.
    var cells: Int {
        switch self {
        case .zero: 0
        case .narrow, .half, .shaped: 1
        case .wide: 2
        }
    }

    /// Determines the width class of a character.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20...0x02FF: self = scalar.value == 0xAD ? .zero : .narrow
        case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F:
            self = .zero
        case 0x0590...0x109F, 0x1100...0x11FF, 0x1700...0x18AF, 0x1900...0x1AAF, 0x1B00...0x1C7F, 0x1CD0...0x1CFF,
            0xA800...0xABFF, 0xD7B0...0xD7FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x1_0800...0x1_14DF,
            0x1_E800...0x1_EFFF:
            self = .shaped
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0x1_F3FB...0x1_F3FF,
            0xE_0000...0xE_0FFF:
            self = .zero
        case 0xFF61...0xFFDC: self = .half
        case 0x231A...0x231B, 0x23E9...0x23EC, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_6FE0...0x1_B2FF,
            0x1_F004, 0x1_F0CF, 0x1_F18E, 0x1_F191...0x1_F19A, 0x1_F200...0x1_F64F, 0x1_F680...0x1_F6FF,
            0x1_F7E0...0x1_F7EB, 0x1_F900...0x1_FAFF, 0x2_0000...0x3_FFFD:
            self = .wide
        default: self = .narrow
        }
    }
}
