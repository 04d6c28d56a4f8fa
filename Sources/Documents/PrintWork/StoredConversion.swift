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
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            let data = Self.ownFile(resultPath),
            let result = try? JSONDecoder().decode(ConvertedDocument.self, from: data)
        else { return nil }
        let line = WorkerLine.converted(result)
        guard line.isPlausible, case .converted(let tamed) = line.tamed else { return nil }
        return tamed
    }

    /// Returns the content of a small file of this user; nil for any other file.
    ///
    /// Workers can write to the folder.
    private static func ownFile(_ path: String) -> Data? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1, status.st_size <= mostBytes
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        return read(file, &bytes, bytes.count) == bytes.count ? Data(bytes) : nil
    }

    /// The maximum size of a stored result in bytes.
    private static let mostBytes: off_t = 1 << 20

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
