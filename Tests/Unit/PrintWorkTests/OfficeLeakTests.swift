import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import Testing

/// Tests of documents that refer to other files and to servers: no byte of these files or responses gets into the PDF.
@Suite(.enabled(if: OfficeInstallation.find() != nil, "LibreOffice is not installed"))
struct OfficeLeakTests {
    private let place: OfficeWorkplace
    private let server: WebServer
    private let documents: HostileDocuments
    /// A red PNG image with 2 × 2 pixels.
    private static let picture: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
        2, 0, 0, 0, 2, 8, 2, 0, 0, 0, 0xFD, 0xD4, 0x9A, 0x73, 0, 0, 0, 0x10, 0x49,
        0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0, 0x44, 0x0C, 0x10, 0x0A, 0, 0x1F, 0xEE, 3, 0xFD,
        0x8B, 0x5F, 0x14, 0xD4, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
    private static let secret = "CANARY-4711"

    init() throws {
        place = try OfficeWorkplace()
        let picture = try place.file("canary.png", Self.picture)
        let text = try place.file("canary.txt", Self.secret.utf8)
        // All users can read the files, so only the sandbox protects them.
        for path in [picture, text] { chmod(path, 0o644) }
        server = try WebServer([
            "/canary.png": WebServer.Page(header: "Content-Type: image/png", body: Self.picture),
            "/canary.txt": WebServer.Page(body: Array(Self.secret.utf8)),
        ])
        documents = HostileDocuments(folder: place.folder.path, canary: picture, server: server.address)
    }

    @Test(arguments: HostileDocuments.names)
    func `references in an Office document to files and servers are not followed`(name: String) async throws {
        let request = try place.request(try await documents.make(name))
        _ = try await place.pool().convert(request)
        let text = try await OfficeWorkplace.text(of: request.output)
        #expect(text.contains("visible"))
        #expect(!text.contains("CANARY"))
        #expect(try await OfficeWorkplace.smallImageCount(of: request.output) == 0)
        #expect(server.requests == [])
    }

    /// Shows that the other tests fail if the sandbox does not block the links.
    @Test(arguments: ["picture-file.docx", "picture-http.docx"])
    func `LibreOffice without the sandbox loads linked pictures`(name: String) async throws {
        let path = try await documents.make(name)
        _ = try await ProgramRun(
            "/usr/bin/soffice",
            ["-env:UserInstallation=file://\(place.folder.path)/profile", "--headless", "--convert-to", "pdf", path],
            environment: ["HOME": place.folder.path, "PATH": "/usr/bin:/bin"], in: place.folder.path)
        let pdf = String(path.dropLast(4)) + "pdf"
        #expect(try await OfficeWorkplace.smallImageCount(of: pdf) == 1)
    }
}
