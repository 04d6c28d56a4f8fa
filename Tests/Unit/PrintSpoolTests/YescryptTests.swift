import PrintSpool
import Testing

struct YescryptTests {
    @Test func `a yescrypt hash matches its password only`() throws {
        let hash = try #require(Yescrypt.hash(of: "correct horse"))
        #expect(hash.hasPrefix("$y$"))
        #expect(Yescrypt.matches("correct horse", hash))
        #expect(!Yescrypt.matches("correct hors", hash) && !Yescrypt.matches("Correct horse", hash))
        #expect(Yescrypt.hash(of: "correct horse") != hash)
        for other in ["", "*", "x", "$y$", "$y$j9T$"] { #expect(!Yescrypt.matches("correct horse", other)) }
        #expect(!Yescrypt.matches("correct horse", nil))
    }
}
