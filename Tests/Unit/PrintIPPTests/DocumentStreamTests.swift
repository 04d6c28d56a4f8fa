import Glibc
import PrintIPP
import Testing

struct DocumentStreamTests {
    @Test func `a document stream returns the bytes in pieces and in order`() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        var pieces: [ArraySlice<UInt8>] = []
        for try await piece in DocumentStream(bytes: bytes) { pieces.append(piece) }
        #expect(pieces.count == 4)
        #expect(Array(pieces.joined()) == bytes)
    }

    @Test func `a second reader of a document stream receives an error instead of an empty document`() async throws {
        let stream = DocumentStream(bytes: [1, 2, 3])
        #expect(try await stream.collect(upTo: 10) == [1, 2, 3])
        let error = await #expect(throws: DocumentStreamError.self) { try await stream.collect(upTo: 10) }
        #expect(error?.code == .alreadyRead)
    }

    @Test func `a document cannot be collected if the document is larger than the limit`() async throws {
        #expect(try await DocumentStream(bytes: [1, 2, 3]).collect(upTo: 3) == [1, 2, 3])
        let error = await #expect(throws: DocumentStreamError.self) {
            try await DocumentStream(bytes: [1, 2, 3]).collect(upTo: 2)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [0, 1, 3_000_000])
    func `a saved document contains every byte, and only the owner can read the file`(size: Int) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/document"
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let count = try await DocumentStream(bytes: bytes).save(toPath: path)
            #expect(count == bytes.count)
            let saved = try contents(of: path)
            #expect(saved == bytes)
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
    }

    @Test func `if a document is larger than the limit, 'save' fails and leaves no file`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/document"
            let error = await #expect(throws: DocumentStreamError.self) {
                try await DocumentStream(bytes: .init(repeating: 0, count: 2_000_000)).save(
                    toPath: path, limit: 1_999_999)
            }
            #expect(error?.code == .tooLarge)
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func `if an upload is interrupted, 'save' fails with the error of the upload and leaves no file`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/document"
            let pieces = Pieces([[1, 2, 3], [4]], then: DocumentStreamError(.interrupted, "the client went away"))
            let stream = DocumentStream { () async throws(DocumentStreamError) in try await pieces.next() }
            let error = await #expect(throws: DocumentStreamError.self) { try await stream.save(toPath: path) }
            #expect(error?.code == .interrupted)
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func `'save' never overwrites an existing file`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/document"
            _ = try await DocumentStream(bytes: [1]).save(toPath: path)
            let error = await #expect(throws: DocumentStreamError.self) {
                try await DocumentStream(bytes: [2]).save(toPath: path)
            }
            #expect(error?.code == .storage)
            #expect(try contents(of: path) == [1])
        }
    }

    @Test func `if the disk is full, 'save' fails with the error '.noSpace'`() async throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let error = await #expect(throws: DocumentStreamError.self) {
            try await DocumentStream(bytes: [1]).save(to: full)
        }
        #expect(error?.code == .noSpace)
    }
}

/// A source that returns its pieces and then throws an error.
private actor Pieces {
    private var rest: [[UInt8]]
    private let failure: DocumentStreamError

    init(_ pieces: [[UInt8]], then failure: DocumentStreamError) {
        rest = pieces
        self.failure = failure
    }

    func next() throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { throw failure }
        return rest.removeFirst()[...]
    }
}

private func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/printq-stream-XXXXXX".utf8CString)
    let folder = try #require(
        template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }.map { String(cString: $0) })
    defer {
        unlink("\(folder)/document")
        rmdir(folder)
    }
    try await body(folder)
}

private func contents(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
    return all
}
