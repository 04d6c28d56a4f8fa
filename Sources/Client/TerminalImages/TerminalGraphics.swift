// Finds the way in which a terminal shows images.

/// The protocol with which a terminal shows images.
///
///     TerminalGraphics(environment: ["TERM": "xterm-kitty"])     // .kitty
public enum TerminalGraphics: String, Hashable, Sendable, CaseIterable {
    /// The kitty graphics protocol: PNG files.
    case kitty
    /// The inline images of iTerm2 (OSC 1337): PNG files.
    case iterm
    /// Sixel graphics, the image format of DEC terminals: up to 256 colors.
    case sixel
    /// Half blocks (U+2580) in 24-bit colors: two pixels for each character.
    case trueColorBlocks = "truecolor"
    /// Half blocks in the 256 colors of xterm.
    case indexedBlocks = "256color"
    /// No images: the terminal does not show enough colors.
    case none

    /// Chooses the protocol that the environment variables of a terminal indicate.
    ///
    /// The reply of the terminal (`TerminalReply`) is more reliable, because a program can inherit variables that
    /// describe a different terminal.
    ///
    /// tmux and screen do not forward images to the outer terminal. Inside tmux and screen, the variables of the outer
    /// terminal are therefore ignored.
    public init(environment: [String: String]) {
        func value(_ name: String) -> String { environment[name] ?? "" }
        let (term, program) = (value("TERM").lowercased(), value("TERM_PROGRAM"))
        if Self.isMultiplexed(environment) {
            self = Self.blocks(environment)
        } else if ["", "dumb", "linux", "unknown"].contains(term) {
            self = .none
        } else if !value("KITTY_WINDOW_ID").isEmpty || term.contains("kitty") || term.contains("ghostty")
            || program == "ghostty" || !value("KONSOLE_VERSION").isEmpty
        {
            self = .kitty
        } else if ["iTerm.app", "WezTerm", "mintty", "rio"].contains(program) || value("LC_TERMINAL") == "iTerm2" {
            self = .iterm
        } else if ["mlterm", "foot", "contour", "yaft"].contains(where: term.hasPrefix) || term.contains("sixel") {
            self = .sixel
        } else {
            self = Self.blocks(environment)
        }
    }

    /// Returns whether the program runs inside tmux or screen.
    static func isMultiplexed(_ environment: [String: String]) -> Bool {
        let term = environment["TERM"] ?? ""
        return term.hasPrefix("tmux") || term.hasPrefix("screen") || environment["TMUX"]?.isEmpty == false
    }

    /// Returns the variant of half blocks for the number of colors that the environment variables indicate.
    private static func blocks(_ environment: [String: String]) -> TerminalGraphics {
        let (term, colors) = (environment["TERM"] ?? "", environment["COLORTERM"] ?? "")
        if ["truecolor", "24bit"].contains(colors) || term.contains("direct") { return .trueColorBlocks }
        return term.contains("256color") ? .indexedBlocks : .none
    }

    /// Whether the images consist of characters, so that each character cell shows two pixels.
    public var isBlocks: Bool { self == .trueColorBlocks || self == .indexedBlocks }

    /// Returns the best protocol according to the environment and to the terminal's reply.
    ///
    /// A terminal supports the protocols that its reply contains. There is no query for the images of iTerm2. Therefore
    /// the function chooses iTerm2 according to the environment, unless the reply contains the kitty protocol.
    public func confirmed(by reply: TerminalReply, in environment: [String: String]) -> TerminalGraphics {
        if reply.supportsKitty { return .kitty }
        if self == .iterm { return .iterm }
        if reply.supportsSixel { return .sixel }
        guard reply.isComplete, self == .kitty || self == .sixel else { return self }
        return Self.blocks(environment)
    }
}

/// The reply of a terminal to a query for image protocols.
///
/// The query asks for the kitty graphics protocol, and then for the device attributes (DA1). Every terminal replies
/// with its device attributes.
public struct TerminalReply: Hashable, Sendable {
    /// The bytes of the query for image protocols.
    public static let query = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c".utf8)

    /// Whether the terminal has confirmed the kitty graphics protocol.
    public private(set) var supportsKitty = false
    /// Whether the device attributes contain the number 4, which means that the terminal supports sixel graphics.
    public private(set) var supportsSixel = false
    /// Whether the device attributes have arrived.
    ///
    /// No more bytes are expected after the device attributes.
    public private(set) var isComplete = false

    /// Creates a reply from the received bytes.
    ///
    /// The initializer ignores the bytes of key presses that arrive between the parts of the reply.
    public init(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        supportsKitty = Self.contains("\u{1B}_Gi=31;OK", in: bytes)
        guard let start = Self.position(of: "\u{1B}[?", in: bytes) else { return }
        let attributes = bytes[start...].prefix { $0 == UInt8(ascii: ";") || (0x30...0x39).contains($0) }
        guard attributes.endIndex < bytes.endIndex, bytes[attributes.endIndex] == UInt8(ascii: "c") else { return }
        isComplete = true
        supportsSixel = attributes.split(separator: UInt8(ascii: ";")).contains { $0.elementsEqual("4".utf8) }
    }

    private static func contains(_ text: String, in bytes: [UInt8]) -> Bool { position(of: text, in: bytes) != nil }

    /// Returns the index of the byte that follows the first occurrence of a text; nil if the bytes do not contain the
    /// text.
    private static func position(of text: String, in bytes: [UInt8]) -> Int? {
        let text = Array(text.utf8)
        guard bytes.count >= text.count else { return nil }
        return (0...(bytes.count - text.count)).first { bytes[$0..<($0 + text.count)].elementsEqual(text) }
            .map { $0 + text.count }
    }
}
