import BackendTrials
import Foundation
import PrintBackends
import PrintModel
import PrintTestSupport

/// A bench with a folder on the disk.
struct FolderBench: BackendBench {
    static let leftOut: [BackendTrouble: String] = [
        .stopsAtSecondSide: "a complete document is moved to a folder in one step",
        .busy: "a folder has no busy state",
        .documentCut: "there is no connection; FolderBackendTests tests an incomplete document after a crash",
        .answerLost: "there is no connection; FolderBackendTests tests a crash after each step",
        .answerRepeated: "there is no response",
        .numbersBeginAnew: "a job is identified by its files, which are lost only with the folder",
        .documentRefused: "a folder accepts every document",
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
