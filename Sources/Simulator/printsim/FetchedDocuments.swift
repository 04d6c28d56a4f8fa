// Fetches documents of Print-URI and Send-URI by HTTP into an unnamed temporary file.

import FoundationEssentials
import Glibc
import IPPClient
import IPPNetworkClient
import PrintIPP

extension DocumentReferences {
    /// Returns a source that fetches documents by plain HTTP from the addresses that `reach` allows.
    static func http(from reach: HTTPDocument.Reach) -> DocumentReferences {
        DocumentReferences(schemes: ["http"]) { uri async throws(DocumentAccessError) in
            let file = try OpenFile()
            var bounds = HTTPDocument.Bounds()
            bounds.reach = reach
            do throws(HTTPDocumentError) {
                try await HTTPDocument(uri, bounds: bounds).fetch(into: file.descriptor)
            } catch {
                let isPrivate = error.code == .privateAddress
                throw DocumentAccessError(
                    error.message + (isPrivate ? "; 'printsim --allow-private-uri' allows private addresses" : ""),
                    cause: error)
            }
            lseek(file.descriptor, 0, SEEK_SET)
            return DocumentStream { () throws(DocumentStreamError) in try file.piece() }
        }
    }
}

/// An unnamed open file.
///
/// The file is deleted when the last reference to this object is released.
private final class OpenFile: Sendable {
    let descriptor: Int32

    /// Child processes do not inherit the descriptor.
    init() throws(DocumentAccessError) {
        let name = "printsim-document-\(UUID().uuidString.lowercased())"
        let path = FileManager.default.temporaryDirectory.appending(path: name).path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw DocumentAccessError("cannot create a temporary file: \(String(cString: strerror(errno)))")
        }
        unlink(path)
    }

    deinit { close(descriptor) }

    func piece() throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count = read(descriptor, &bytes, bytes.count)
        while count < 0, errno == EINTR { count = read(descriptor, &bytes, bytes.count) }
        guard count >= 0 else {
            throw DocumentStreamError(
                .storage, "cannot read the fetched document: \(String(cString: strerror(errno)))")
        }
        return count == 0 ? nil : bytes[..<count]
    }
}
