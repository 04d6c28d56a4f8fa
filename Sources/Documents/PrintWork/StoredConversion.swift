// Stores the result of a conversion in the folder of the prepared document of a job.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessPools
import SafeFiles

/// A converted document and the result of the conversion, stored in the folder of the job.
///
/// The file name contains a hash of four values: the type of the document, the size of the document, the layout, and
/// the ID of the machine's current boot. The boot ID is necessary because files are not flushed to the disk, so a file
/// can be incomplete after a power failure. The folder is removed when the job ends.
struct StoredConversion {
    /// The path of the converted PDF.
    let path: String

    private var resultPath: String { path + "-result" }

    /// Chooses the path for a converted document.
    ///
    /// - Parameters:
    ///   - number: The number of the document in its job, from 1.
    ///   - output: The path of the job's prepared document.
    init(of document: InputDocument, number: Int, type: DocumentType, layout: ConversionLayout, beside output: String) {
        var status = stat()
        // The documents of a job never change, but a small document is written to its file again and again.
        let file = stat(document.path, &status) == 0 ? "\(status.st_size)" : ""
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // The type contains the arguments of a registered program, which an administrator can correct.
        let options = [try? encoder.encode(layout), try? encoder.encode(type)].compactMap(\.self).joined()
        let key = Self.hash(Array(options) + Array(" \(file) \(Self.boot)".utf8))
        path = "\(WorkerRequest.folder(of: output))/converted-\(number)-\(String(key, radix: 16)).pdf"
    }

    /// The result of an earlier conversion; nil if the document has not been converted.
    var result: ConvertedDocument? {
        guard let pdf = try? RegularFile(path), pdf.status.st_nlink == 1, let file = try? RegularFile(resultPath),
            file.isOwn, file.size <= Self.mostBytes, let bytes = try? file.bytes(count: file.size),
            let result = try? JSONDecoder().decode(ConvertedDocument.self, from: Data(bytes))
        else { return nil }
        let line = WorkerLine.converted(result)
        guard line.isPlausible, case .converted(let sanitized) = line.sanitized else { return nil }
        return sanitized
    }

    /// The maximum size of a stored conversion result in bytes.
    private static let mostBytes = 1 << 20

    /// Stores the conversion result for later requests.
    ///
    /// If the result cannot be stored, the document is converted again later.
    func store(_ result: ConvertedDocument) {
        guard let data = try? JSONEncoder().encode(result) else { return }
        try? AtomicFile.write(data, to: resultPath)
    }

    /// The ID of the machine's current boot.
    private static let boot =
        FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
        .map { String(decoding: $0, as: UTF8.self) } ?? ""

    /// Returns the FNV-1a hash of bytes.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
