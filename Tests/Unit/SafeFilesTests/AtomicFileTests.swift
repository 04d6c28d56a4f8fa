import FoundationEssentials
import Glibc
import PrintTestSupport
import Testing

@testable import SafeFiles

struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder.path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return lstat(folder.path(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test(arguments: [AtomicFile<SystemFailure>.TemporaryName.unique, .new])
    func `a file replaces the old file only when it is finished`(_ name: AtomicFile<SystemFailure>.TemporaryName) throws
    {
        try "old".write(toFile: folder.path("a"), atomically: false, encoding: .utf8)
        let file = try AtomicFile(path: folder.path("a"), temporaryName: name) { $0 }
        try file.append("new ".utf8)
        try file.append(Array("content".utf8)[...])
        #expect(text("a") == "old")
        #expect(names.count == 2)
        try file.finish(sync: .contentAndName)
        #expect(text("a") == "new content")
        #expect(names == ["a"])
        #expect(mode("a") == 0o600)
    }

    @Test func `an unfinished file is removed`() throws {
        do {
            let file = try AtomicFile(path: folder.path("a")) { $0 }
            try file.append("x".utf8)
            #expect(names.count == 1)
        }
        #expect(names == [])
    }

    @Test func `a file with a fixed temporary name replaces the unfinished file of a crash and follows no link`() throws
    {
        try "other".write(toFile: folder.path("other"), atomically: false, encoding: .utf8)
        #expect(symlink(folder.path("other"), folder.path("a.new")) == 0)
        try AtomicFile.write("x".utf8, to: folder.path("a"), temporaryName: .new, sync: .content)
        #expect(text("a") == "x")
        #expect(text("other") == "other")
        #expect(names == ["a", "other"])
    }

    @Test func `a file that must not replace another file is refused at the end`() throws {
        let file = try AtomicFile(path: folder.path("a")) { $0 }
        try file.append("new".utf8)
        try "old".write(toFile: folder.path("a"), atomically: false, encoding: .utf8)
        #expect(throws: SystemFailure(EEXIST)) { try file.finish(replaces: false) }
        #expect(text("a") == "old")
        #expect(names == ["a"])

        let other = try AtomicFile(path: folder.path("b"), mode: 0o640) { $0 }
        try other.finish(replaces: false)
        #expect(names == ["a", "b"])
        #expect(mode("b") == 0o640)
    }

    @Test func `an error of the caller's type has the number of the failed call`() throws {
        struct Failure: Error, Equatable { var number: Int32 }
        #expect(throws: Failure(number: ENOENT)) {
            _ = try AtomicFile(path: folder.path("missing/a")) { Failure(number: $0.number) }
        }
        let file = try AtomicFile(path: folder.path("a")) { Failure(number: $0.number) }
        mkdir(folder.path("a"), 0o700)
        #expect(throws: Failure(number: EISDIR)) { try file.finish() }
        #expect(names == ["a"])
    }

    @Test func `writing to a full device fails, and copying copies all bytes`() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(throws: SystemFailure(ENOSPC)) { try FileBytes.write([1], to: full) }
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        try AtomicFile.write(bytes, to: folder.path("a"))
        let source = try RegularFile(folder.path("a"))
        let copy = try AtomicFile(path: folder.path("b")) { $0 }
        try FileBytes.copy(from: source.descriptor, to: copy.descriptor) { error, _ in error }
        try copy.finish()
        #expect(FileManager.default.contents(atPath: folder.path("b")) == Data(bytes))
    }
}
