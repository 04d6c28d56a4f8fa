import FoundationEssentials
import Glibc
import PrintTestSupport
import Testing

@testable import SafeFiles

struct RegularFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a regular file is read at an offset, and no further than its end`() throws {
        try AtomicFile.write("0123456789".utf8, to: folder.path("a"))
        let file = try RegularFile(folder.path("a"))
        #expect(file.size == 10)
        #expect(file.isOwn)
        #expect(try file.bytes(count: 3) == Array("012".utf8))
        #expect(try file.bytes(at: 8, count: 100) == Array("89".utf8))
        #expect(try file.bytes(at: 10, count: 1) == [])
        #expect(link(folder.path("a"), folder.path("b")) == 0)
        #expect(try !RegularFile(folder.path("a")).isOwn)
    }

    @Test func `links, folders, named pipes and missing files are not opened`() throws {
        try AtomicFile.write("x".utf8, to: folder.path("a"))
        #expect(symlink(folder.path("a"), folder.path("link")) == 0)
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(throws: SystemFailure(ELOOP)) { _ = try RegularFile(folder.path("link")) }
        #expect(throws: SystemFailure(EINVAL)) { _ = try RegularFile(folder.path("pipe")) }
        #expect(throws: SystemFailure(EINVAL)) { _ = try RegularFile(folder.path) }
        #expect(throws: SystemFailure(ENOENT)) { _ = try RegularFile(folder.path("missing")) }
    }
}
