import TerminalCenter
import Testing

@Suite struct CenterKeyTests {
    @Test(arguments: [
        ("\u{1B}[A", CenterKey.up), ("\u{1B}OB", .down), ("\u{1B}[6~", .pageDown), ("\u{1B}[1~", .home), ("\r", .enter),
        ("\u{7F}", .backspace), ("\t", .tab), ("\u{3}", .interrupt), ("\u{C}", .redraw), ("h", .character("h")),
        ("見", .character("見")),
    ])
    func `the bytes that a terminal sends for a key are decoded to this key`(bytes: String, key: CenterKey) {
        var reader = CenterKeyReader()
        #expect(reader.read(bytes.utf8) == [key])
        #expect(!reader.isWaiting)
    }

    @Test func `a key is decoded as one key if its bytes arrive in two parts`() {
        var reader = CenterKeyReader()
        #expect(reader.read([0x1B]) == [])
        #expect(reader.isWaiting)
        #expect(reader.read(Array("[B".utf8)) == [.down])
        #expect(reader.read([0xE8, 0xA6]) == [])
        #expect(reader.read([0x8B]) == [.character("見")])
    }

    @Test func `if no other byte follows an Escape byte, the byte is decoded as the Escape key`() {
        var reader = CenterKeyReader()
        #expect(reader.read([0x1B]) == [])
        #expect(reader.flush() == [.escape])
        #expect(reader.flush() == [])
    }

    @Test func `unknown and invalid bytes from the terminal are ignored`() {
        var reader = CenterKeyReader()
        #expect(reader.read([0xFF, 0x01] + Array("\u{1B}[99zq".utf8)) == [.character("q")])
    }
}
