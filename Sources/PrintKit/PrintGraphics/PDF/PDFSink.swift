// Receives the bytes of a PDF.

import CCairo
import FoundationEssentials
import Glibc
import SafeFiles

/// A sink that writes cairo's output to a file or to memory.
///
/// `finish` then adds the parts of the PDF that cairo does not write. The pages of a protected document stay in memory
/// until then, so that no disk ever contains the unencrypted document.
final class PDFSink {
    /// The bytes of the document, if the sink has no file.
    private(set) var data = Data()
    private let file: AtomicFile<GraphicsError>?
    /// The pages of a protected document, which `finish` encrypts into the file.
    private let draft: MemoryFile?
    private var buffer: [UInt8] = []
    private(set) var writeFailure: GraphicsError?

    /// - Parameter isProtected: Whether `finish` encrypts the document.
    init(file: AtomicFile<GraphicsError>? = nil, isProtected: Bool = false) throws(GraphicsError) {
        self.file = file
        draft = isProtected && file != nil ? try MemoryFile() : nil
        buffer.reserveCapacity(Self.bufferSize)
    }

    private static let bufferSize = 1 << 17

    /// The sink must exist until the surface is finished.
    func makeSurface(size: Size) -> OpaquePointer {
        let surface = cairo_pdf_surface_create_for_stream(
            { closure, bytes, count in
                let sink = Unmanaged<PDFSink>.fromOpaque(closure!).takeUnretainedValue()
                return sink.append(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                    ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
            }, Unmanaged.passUnretained(self).toOpaque(), size.width, size.height)
        return surface!  // never nil: on failure, the surface has an error status
    }

    /// Writes the remaining bytes, adds the parts that cairo does not write, and renames the file to its final name.
    func finish(_ extras: PDFExtras, info: DocumentInfo) throws(GraphicsError) {
        guard flush() else { throw writeFailure ?? .writeFailed(file?.path ?? "", cause: nil) }
        if let file, let draft {
            try extras.add(to: draft.path, output: file.openPath, named: file.path, info: info)
            try file.finish()
        } else if let file {
            guard extras.isNeeded(for: info) else { return try file.finish() }
            let finished = try AtomicFile(path: file.path)
            try extras.add(to: file.openPath, output: finished.openPath, named: file.path, info: info)
            try finished.finish()
            file.discard()
        } else if extras.isNeeded(for: info) {
            let draft = try MemoryFile(data)
            let finished = try MemoryFile()
            try extras.add(to: draft.path, output: finished.path, named: "", info: info)
            data = try finished.data()
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if buffer.count + bytes.count > Self.bufferSize, !flush() { return false }
        if bytes.count < Self.bufferSize {
            buffer.append(contentsOf: bytes)
            return writeFailure == nil
        }
        return send(bytes)
    }

    private func flush() -> Bool {
        let isSent = buffer.withUnsafeBytes { send($0) }
        buffer.removeAll(keepingCapacity: true)
        return isSent
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard writeFailure == nil else { return false }
        do throws(GraphicsError) {
            if let draft {
                try draft.append(bytes)
            } else if let file {
                try file.append(bytes)
            } else {
                data.append(contentsOf: bytes)
            }
        } catch {
            writeFailure = error
        }
        return writeFailure == nil
    }
}
