import Foundation
import IPPServer
import PrintCenter
import PrintIPP
import PrintModel
import PrintScheduler
import PrintSpool
import PrintTestSupport
import PrintWork
import ProcessLaunch
import Testing

@testable import PrintPages

/// Tests of previews with the real worker.
@Suite(.timeLimit(.minutes(2))) struct UploadPreviewsTests {
    private let folder: TemporaryFolder
    private let uploads: UploadFolder
    private let spool: Spool
    private let previews: UploadPreviews
    private let ann = CenterUser(name: "ann", isAdministrator: false, peer: .unix(uid: 1001, gid: 1001, pid: 1))

    init() async throws {
        folder = try TemporaryFolder()
        let pool = ConvertingWorkerPool(pool: WorkerPool(executable: Programs.beside("print-worker")))
        let spool = try Spool(folder: folder.path("spool"))
        try await spool.addPrinter(ConfiguredPrinter(name: "quiet", deviceURI: "test:quiet", isDefault: true))
        let directory = PrinterDirectory(clock: Spool.systemTime) { _ in QuietPrinter() }
        let pages = SpoolPages(
            spool: spool, folder: folder.path("views"), directory: directory, pool: pool,
            pictures: PagePictures(viewer: PageViewer(executable: Programs.beside("print-worker")))
        ) { _, _ in nil }
        self.spool = spool
        uploads = UploadFolder(folder: folder.path("uploads"), pool: pool, clock: Spool.systemTime) {
            await pages.closePreviews(ofUpload: $0)
        }
        previews = UploadPreviews(pages: pages, uploads: uploads, clock: Spool.systemTime)
    }

    private func upload(pages: Int) async throws -> String {
        let path = folder.path("upload-\(pages).pdf")
        try PDFBuilder.numbered(pages: pages).write(to: path)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        return try await uploads.receive(WebBody(bytes), name: "a.pdf", format: nil, of: ann).id
    }

    private func preview(
        _ uploads: String..., options: [(name: String, value: String)] = [], password: String? = nil, session: String
    ) async throws -> PreviewResult {
        try await previews.make(
            of: .uploads(uploads), printer: nil, options: options, password: password, for: ann, session: session)
    }

    @Test func `an encrypted document is shown with its password, and after a wrong password it is not shown`()
        async throws
    {
        let file = try await uploads.receive(
            WebBody(EncryptedPDF.userPassword), name: "secret.pdf", format: nil, of: ann)
        #expect(file.needsPassword && file.problem == nil && file.pages == nil, "\(file)")
        func problem(_ password: String?) async -> Problem? {
            do {
                _ = try await preview(file.id, password: password, session: "one")
                return nil
            } catch {
                return error as? Problem
            }
        }
        for password in [nil, "wrong"] {
            let problem = await problem(password)
            #expect(problem?.code == "client-error-document-password-error", "\(String(describing: problem))")
        }
        let shown = try await preview(file.id, password: "secret", session: "one")
        #expect(shown.sideCount == 1)
        #expect(try await previews.image(of: shown.id, side: 1, PageArea(resolution: 24), for: ann).png.count > 50)
        #expect(await problem("wrong") != nil, "the earlier password opens nothing")
        let refused = await #expect(throws: Problem.self) {
            _ = try await uploads.documents([file.id], hasPassword: false, of: ann)
        }
        #expect(refused?.fields.map(\.name) == ["document-password"])
        #expect(try await uploads.documents([file.id], hasPassword: true, of: ann).count == 1)
    }

    /// Returns the folders in which an upload is open, except for its layouts.
    private func folders(of upload: String) async throws -> Set<String> {
        let size = try await uploads.upload(upload, of: ann).size
        let all = try FileManager.default.contentsOfDirectory(atPath: folder.path("views"))
        return Set(
            all.filter { name in
                let path = folder.path("views/\(name)/document-1")
                return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) == size
            })
    }

    @Test
    func `if two sessions preview a document, the document stays open when one session opens a different document`()
        async throws
    {
        let (shared, other) = (try await upload(pages: 3), try await upload(pages: 1))
        let first = try await preview(shared, session: "one")
        let second = try await preview(shared, session: "two")
        let open = try await folders(of: shared)
        #expect(open.count == 1)
        // The first session shows another document; the second session still shows the first document.
        let third = try await preview(other, session: "one")
        #expect(first.sideCount == 3 && third.sideCount == 1)
        let fourth = try await preview(shared, options: [("copies", "2")], session: "two")
        #expect(fourth.copies == 2)
        #expect(try await folders(of: shared) == open, "the documents were closed and opened again")
        let image = try await previews.image(of: fourth.id, side: 3, PageArea(resolution: 24), for: ann)
        #expect(image.png.count > 100 && second.sideCount == 3)
    }

    @Test func `if the preview of one session is canceled, the document in the preview of a second session stays open`()
        async throws
    {
        let (shared, other) = (try await upload(pages: 3), try await upload(pages: 1))
        _ = try await preview(shared, session: "two")
        let open = try await folders(of: shared)
        // The second preview replaces the first while the first is being made.
        async let replaced = preview(shared, options: [("number-up", "2")], session: "one")
        async let newer = preview(other, session: "one")
        _ = try? await replaced
        _ = try? await newer
        _ = try await preview(shared, options: [("copies", "3")], session: "two")
        #expect(try await folders(of: shared) == open)
    }

    @Test func `a previewed document is closed when all of its sessions have opened a different document`()
        async throws
    {
        let (shared, other) = (try await upload(pages: 2), try await upload(pages: 1))
        _ = try await preview(shared, session: "one")
        _ = try await preview(shared, session: "two")
        _ = try await preview(other, session: "one")
        #expect(try await folders(of: shared).count == 1)
        _ = try await preview(other, session: "two")
        try await eventually("the documents are closed") { try await folders(of: shared).isEmpty }
        #expect(try await folders(of: other).count == 1)
    }
}
