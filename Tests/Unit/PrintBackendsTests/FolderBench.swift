import BackendTrials
import Foundation
import PrintBackends
import PrintModel
import PrintTestSupport

/// A folder on the disk.
struct FolderBench: BackendBench {
    static let leftOut: [BackendTrouble: String] = [
        .stopsAtSecondSide: "a document is moved into a folder whole, at once",
        .busy: "a folder is there or it is not",
        .documentCut: "there is no connection; what a crash leaves of a document is in FolderBackendTests",
        .answerLost: "there is no connection; a crash after each step is in FolderBackendTests",
        .answerRepeated: "there is no answer",
        .numbersBeginAnew: "a job is known by files of its own name, which go only with the folder",
        .documentRefused: "a folder takes whatever is sent",
    ]
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
