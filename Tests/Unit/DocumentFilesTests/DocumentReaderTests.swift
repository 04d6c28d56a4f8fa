import DocumentFiles
import Foundation
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@Suite struct DocumentReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ path: String) throws(WorkError) -> DocumentReader {
        try DocumentReader(InputDocument(path: path))
    }

    @Test func `a document reader reads the bytes from an offset to the end of the file`() throws {
        let path = folder.path("a.txt")
        try Data("0123456789".utf8).write(to: URL(fileURLWithPath: path))
        let file = try open(path)
        #expect(file.size == 10)
        #expect(try file.bytes(count: 4) == Array("0123".utf8))
        #expect(try file.bytes(at: 7, count: 100) == Array("789".utf8))
        #expect(try file.bytes(at: 10, count: 1).isEmpty)
        #expect(try file.bytes(at: -1, count: 1).isEmpty)
    }

    @Test func `opening a missing file throws an error`() {
        let path = folder.path("missing.txt")
        #expect(
            throws: WorkError(.documentMissing, "there is no file '\(path)'; check the name", detail: "errno \(ENOENT)")
        ) { try open(path) }
    }

    @Test func `opening a folder throws an error`() {
        #expect(throws: WorkError(.documentMissing, "'\(folder.path)' is a folder; choose a document in the folder")) {
            try open(folder.path)
        }
    }

    @Test func `for a named pipe, a document reader throws an error without waiting for a writer`() {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: WorkError(.documentMissing, "'\(path)' is not a regular file; choose a regular file")) {
            try open(path)
        }
    }

    @Test func `opening a device fails with '.documentMissing'`() {
        #expect(throws: WorkError(.documentMissing, "'/dev/zero' is not a regular file; choose a regular file")) {
            try open("/dev/zero")
        }
    }

    @Test func `the error for an empty file contains the document's name`() throws {
        let path = folder.path("1.doc")
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(throws: WorkError(.damaged, "Letter is empty; save the document again and submit the new file")) {
            try DocumentReader(InputDocument(path: path, name: "Letter"))
        }
    }
}
