import Testing

@testable import TerminalImages

/// Tests of the choice of a way to show images.
struct GraphicsTests {
    private static let terminals: [([String: String], TerminalGraphics)] = [
        (["TERM": "xterm-kitty"], .kitty),
        (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm),
        (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm),
        (["TERM": "foot"], .sixel),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColorBlocks),
        (["TERM": "xterm-256color"], .indexedBlocks),
        (["TERM": "vt100"], .none),
        (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
        ([:], .none),
        // The variables of the terminal in which tmux runs.
        (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "COLORTERM": "truecolor"], .trueColorBlocks),
        (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"], .none),
    ]

    @Test(arguments: terminals) func `the environment variables of a terminal determine the image protocol`(
        variables: [String: String], expected: TerminalGraphics
    ) {
        #expect(TerminalGraphics(environment: variables) == expected)
    }

    @Test func `a terminal response with device attribute 4 confirms sixel graphics`() {
        let reply = TerminalReply("\u{1B}[?62;4;22c".utf8)
        #expect(reply.isComplete && reply.supportsSixel && !reply.supportsKitty)
        let xterm = ["TERM": "xterm-256color"]
        #expect(TerminalGraphics(environment: xterm).confirmed(by: reply, in: xterm) == .sixel)
    }

    @Test func `a terminal response with device attributes 64, 42 and 14 does not confirm sixel graphics`() {
        let reply = TerminalReply("\u{1B}[?64;42;14c".utf8)
        #expect(reply.isComplete && !reply.supportsSixel)
    }

    @Test func `a complete terminal response is found between key bytes, and an incomplete response is not found`() {
        let reply = TerminalReply("jk\u{1B}_Gi=31;OK\u{1B}\\q\u{1B}[?62c".utf8)
        #expect(reply.isComplete && reply.supportsKitty)
        #expect(!TerminalReply("\u{1B}[?62;4".utf8).isComplete)
        #expect(!TerminalReply([]).isComplete)
    }

    @Test func `half blocks are shown if the terminal does not confirm the protocol that the environment suggests`() {
        let variables = ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"]
        let reply = TerminalReply("\u{1B}[?1;2c".utf8)
        #expect(TerminalGraphics(environment: variables).confirmed(by: reply, in: variables) == .indexedBlocks)
        #expect(TerminalGraphics.kitty.confirmed(by: TerminalReply([]), in: variables) == .kitty)
    }
}
