import BackendTrials
import Foundation
import PrintBackends
import PrintModel
import PrintTestSupport

/// A folder on the disk.
struct FolderBench: BackendBench {
    static let troubles: Set<BackendTrouble> = [.unreachable]
    static let countsSides = false

    let format = DocumentFormat.pdf
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("printed"), withIntermediateDirectories: true)
    }

    func makeBackend() async throws -> any PrinterBackend { FolderBackend(path: folder.path("printed")) }

    func document(pages: Int) throws -> String {
        let path = folder.path("\(pages).pdf")
        try PDFBuilder.numbered(pages: pages).write(to: path)
        return path
    }

    func begin(_ trouble: BackendTrouble) async throws {
        try FileManager.default.moveItem(atPath: folder.path("printed"), toPath: folder.path("away"))
    }

    func end(_ trouble: BackendTrouble) async throws {
        try FileManager.default.moveItem(atPath: folder.path("away"), toPath: folder.path("printed"))
    }

    func paper() async throws -> [(name: String, sides: Int)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("printed"))) ?? []
        return names.filter { $0.hasSuffix(".pdf") }.sorted().map { name in
            let isWhole = FileManager.default.contentsEqual(
                atPath: folder.path("printed/\(name)"), andPath: folder.path("3.pdf"))
            return (String(name.dropLast(4)), isWhole ? 3 : 0)
        }
    }
}
