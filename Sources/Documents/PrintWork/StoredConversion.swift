// Stores the result of a conversion in the folder of the prepared document of a job.

import FoundationEssentials
import Glibc
import PrintModel

/// A converted document in the folder of its job, with the result of the conversion.
///
/// The file name contains the options that the conversion depends on, and the boot of the machine: files are not flushed
/// to the disk, so that a file from before a power cut may be incomplete. The folder is removed when the job ends.
struct StoredConversion {
    /// The path of the PDF.
    let path: String

    private var resultPath: String { path + "-result" }

    /// Chooses the path for a conversion.
    ///
    /// - Parameters:
    ///   - number: The number of the document in its job, from 1.
    ///   - output: The prepared document of the job.
    init(of document: InputDocument, number: Int, type: DocumentType, layout: ConversionLayout, beside output: String) {
        var status = stat()
        // The documents of a job never change, but a small document is written to its file again and again.
        let file = stat(document.path, &status) == 0 ? "\(status.st_size)" : ""
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let options = (try? encoder.encode(layout)) ?? Data()
        let key = Self.hash(Array(options) + Array("\(type.identifier) \(file) \(Self.boot)".utf8))
        path = "\(WorkerRequest.folder(of: output))/converted-\(number)-\(String(key, radix: 16)).pdf"
    }

    /// The result of the earlier conversion; nil if the document was not converted.
    var result: ConvertedDocument? {
        guard access(path, R_OK) == 0, let data = FileManager.default.contents(atPath: resultPath) else { return nil }
        return try? JSONDecoder().decode(ConvertedDocument.self, from: data)
    }

    /// Stores the result, so that the document is not converted again.
    ///
    /// If the result cannot be stored, the document is converted again later.
    func store(_ result: ConvertedDocument) {
        guard let data = try? JSONEncoder().encode(result) else { return }
        try? data.write(to: URL(filePath: resultPath), options: .atomic)
    }

    /// The identity of the machine's current boot.
    private static let boot =
        FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
        .map { String(decoding: $0, as: UTF8.self) } ?? ""

    /// Returns the FNV-1a hash of bytes.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
