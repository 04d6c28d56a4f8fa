// Documents that clients only name, fetched by HTTP into a file without a name.

import FoundationEssentials
import Glibc
import IPPClient
import PrintIPP

extension DocumentReferences {
    /// By plain HTTP.
    static let http = DocumentReferences(schemes: ["http"]) { uri async throws(DocumentAccessError) in
        var path = Array("\(FileManager.default.temporaryDirectory.path)/printsim-document-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw DocumentAccessError("no temporary file can be made: \(String(cString: strerror(errno)))")
        }
        let file = OpenFile(descriptor)
        // Without a name it goes with its last reader.
        unlink(path)
        do throws(HTTPDocumentError) {
            try await HTTPDocument(uri).fetch(into: file.descriptor)
        } catch {
            throw DocumentAccessError(error.message, cause: error)
        }
        lseek(file.descriptor, 0, SEEK_SET)
        return DocumentStream { () throws(DocumentStreamError) in try file.piece() }
    }
}

/// An open file that is closed with the last reference to it.
private final class OpenFile: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func piece() throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count = read(descriptor, &bytes, bytes.count)
        while count < 0, errno == EINTR { count = read(descriptor, &bytes, bytes.count) }
        guard count >= 0 else {
            throw DocumentStreamError(
                .storage, "the fetched document cannot be read: \(String(cString: strerror(errno)))")
        }
        return count == 0 ? nil : bytes[..<count]
    }
}
