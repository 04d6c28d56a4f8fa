import Foundation
import HTTPTypes
import IPPServer
import PrintCenter
import PrintIPP
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessLaunch
import Synchronization
import Testing

@testable import PrintPages

struct UploadFolderTests {
    private let folder: TemporaryFolder
    private let pool = ConvertingWorkerPool(pool: WorkerPool(executable: Programs.beside("print-worker")))
    private let ann = CenterUser(name: "ann", isAdministrator: false, peer: .unix(uid: 1001, gid: 1001, pid: 1))
    private let ben = CenterUser(name: "ben", isAdministrator: false, peer: .unix(uid: 1002, gid: 1002, pid: 1))

    init() throws { folder = try TemporaryFolder() }

    private func uploads(
        _ change: (inout UploadFolder.Bounds) -> Void = { _ in }, clock: @escaping @Sendable () -> UnixTime = { 0 }
    ) -> UploadFolder {
        var bounds = UploadFolder.Bounds()
        change(&bounds)
        return UploadFolder(folder: folder.path("uploads"), pool: pool, bounds: bounds, clock: clock)
    }

    private func pdf(_ pages: Int) throws -> [UInt8] {
        try PDFBuilder.numbered(pages: pages).write(to: folder.path("a.pdf"))
        return Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("a.pdf"))))
    }

    private func status(_ body: () async throws -> Void) async -> Int? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? Problem)?.status.code
        }
    }

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("uploads"))) ?? []
    }

    @Test
    func `an uploaded PDF has a type and a number of pages, and only the uploading user can read or delete the PDF`()
        async throws
    {
        let uploads = uploads()
        let file = try await uploads.receive(
            WebBody(try pdf(3)), name: "../report.pdf", format: "application/octet-stream", of: ann)
        #expect(file.name == "report.pdf" && file.pages == 3 && file.type?.format == "application/pdf")
        #expect(file.problem == nil)
        #expect(try await uploads.upload(file.id, of: ann).size == file.size)
        #expect(await status { _ = try await uploads.upload(file.id, of: ben) } == 404)
        #expect(await status { try await uploads.delete(file.id, of: ben) } == 404)
        #expect(await status { _ = try await uploads.documents([file.id], hasPassword: false, of: ben) } == 422)
        #expect(try await uploads.documents([file.id], hasPassword: false, of: ann).map(\.name) == ["report.pdf"])
        try await uploads.delete(file.id, of: ann)
        #expect(files.isEmpty)
    }

    @Test func `if an uploaded document cannot be printed, the reason is stored, and printing the upload is refused`()
        async throws
    {
        let uploads = uploads()
        let file = try await uploads.receive(
            WebBody(Array("%PDF-1.7\nnothing".utf8)), name: "bad.pdf", format: nil, of: ann)
        #expect(file.problem?.contains("bad.pdf") == true, "\(file)")
        #expect(await status { _ = try await uploads.documents([file.id], hasPassword: false, of: ann) } == 422)
    }

    @Test func `uploads beyond the limits of a user are refused and leave no file`() async throws {
        let uploads = uploads { ($0.uploadsOfUser, $0.bytesOfUser) = (2, 3000) }
        let small = [UInt8](repeating: 0x41, count: 1000)
        _ = try await uploads.receive(WebBody(small), name: "1.txt", format: nil, of: ann)
        let large = [UInt8](repeating: 0x41, count: 2500)
        #expect(await status { _ = try await uploads.receive(WebBody(large), name: "2", format: nil, of: ann) } == 413)
        // The client does not announce the length.
        let endless = WebBody(length: nil) { use in for _ in 0..<10 { try await use(small[...]) } }
        #expect(await status { _ = try await uploads.receive(endless, name: "3", format: nil, of: ann) } == 413)
        #expect(files.count == 1)
        _ = try await uploads.receive(WebBody(small), name: "4.txt", format: nil, of: ann)
        #expect(await status { _ = try await uploads.receive(WebBody(small), name: "5", format: nil, of: ann) } == 429)
        _ = try await uploads.receive(WebBody(large), name: "6.txt", format: nil, of: ben)
        #expect(await status { _ = try await uploads.receive(.empty, name: "7", format: nil, of: ben) } == 400)
    }

    @Test func `an upload is refused if the uploads of all users would exceed the total limit`() async throws {
        let uploads = uploads { $0.bytes = 1500 }
        let small = [UInt8](repeating: 0x41, count: 1000)
        _ = try await uploads.receive(WebBody(small), name: "1.txt", format: nil, of: ann)
        #expect(await status { _ = try await uploads.receive(WebBody(small), name: "2", format: nil, of: ben) } == 507)
    }

    @Test func `an upload expires after an hour, and uploads of an earlier process are removed at startup`()
        async throws
    {
        let now = TestTime()
        let uploads = uploads(clock: { now.value })
        let file = try await uploads.receive(WebBody(Array("a".utf8)), name: "a.txt", format: nil, of: ann)
        now.set(3599)
        #expect(try await uploads.upload(file.id, of: ann).name == "a.txt")
        now.set(3600)
        #expect(await status { _ = try await uploads.upload(file.id, of: ann) } == 404)
        #expect(files.isEmpty)
        _ = try await uploads.receive(WebBody(Array("a".utf8)), name: "a.txt", format: nil, of: ann)
        #expect(files.count == 1)
        _ = self.uploads()
        #expect(files.isEmpty)
    }
}

/// A clock that a test sets.
private final class TestTime: Sendable {
    private let time = Mutex<UnixTime>(0)
    var value: UnixTime { time.withLock { $0 } }
    func set(_ value: UnixTime) { time.withLock { $0 = value } }
}
