import Foundation
import PrintModel
import PrintSpool
import Testing

@Suite struct WrittenDocumentTests {
    let files = TestSpool()

    @Test func `if a small document is requested twice, the file that the first request has written is not replaced`()
        async throws
    {
        let spool = try await files.open(printers: ["laser"])
        let job = try await spool.submit("Hello")
        let path = try #require(try await spool.documents(of: job.id).first?.path)
        // Workers of another user get access to this file.
        #expect(chmod(path, 0o640) == 0)
        let before = try FileManager.default.attributesOfItem(atPath: path)
        #expect(try await spool.documents(of: job.id).first?.path == path)
        let after = try FileManager.default.attributesOfItem(atPath: path)
        #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
        #expect(after[.posixPermissions] as? Int == 0o640)
    }

    @Test func `a document file from an earlier process is replaced because the file can be incomplete`() async throws {
        let spool = try await files.open(printers: ["laser"])
        let job = try await spool.submit("Hello")
        let path = try #require(try await spool.documents(of: job.id).first?.path)
        let whole = try Data(contentsOf: URL(filePath: path))
        try spool.close()
        try whole.prefix(2).write(to: URL(filePath: path))
        let next = try await files.open()
        #expect(try await next.documents(of: job.id).first?.path == path)
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
    }
}
