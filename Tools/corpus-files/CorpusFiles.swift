// Writes the documents of the corpus into a folder, for inspection or for other programs: `corpus-files FOLDER`.

import FoundationEssentials
import PrintTestSupport

@main
enum CorpusFiles {
    static func main() throws {
        let folder = CommandLine.arguments.dropFirst().first ?? "."
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let encrypted = CorpusDocument.Encryption.allCases.map { CorpusDocument.encrypted($0) }
        for document in CorpusDocument.all + encrypted {
            let path = "\(folder)/\(document.name).pdf"
            try Data(document.bytes).write(to: URL(filePath: path))
            for (index, page) in document.pages.enumerated() { print("\(path) \(index + 1): \(page)") }
        }
    }
}
