// Decompresses document data in pieces of limited size.

import CZlib
import PrintIPP

/// The compression format of a document's data (RFC 8011 §5.4.32, `compression`).
enum Compression: String {
    case none
    /// Deflate (RFC 1951), either raw or in the zlib format (RFC 1950) that some clients use.
    case deflate
    /// gzip (RFC 1952), with one or more members.
    case gzip
}

/// A decompressor for a document that arrives in pieces.
///
/// A piece of output has at most 256 KiB, so memory use is limited. After the first MiB of output, the inflater throws
/// `excessiveCompression` if there are at least `ratio` bytes of output per byte of input.
actor Inflater {
    private static let pieceSize = 256 << 10
    private static let ratioStartsAt = 1 << 20

    private let source: DocumentStream.Next
    private let compression: Compression
    private let ratio: Int
    // zlib stores the address of its stream, so the stream must never move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isOpen = false
    private var isBetweenMembers = true
    private var isAtEnd = false
    private var isOutputPending = false
    private var input: ArraySlice<UInt8> = []
    private var consumed = 0
    private var produced = 0

    init(_ source: @escaping DocumentStream.Next, compression: Compression, ratio: Int) {
        (self.source, self.compression, self.ratio) = (source, compression, ratio)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    isolated deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Returns the next piece of decompressed data; `nil` at the end of the data.
    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        while !isAtEnd {
            if input.isEmpty, !isOutputPending {
                guard let more = try await source() else {
                    guard isBetweenMembers else { throw .badCompression("the data is truncated") }
                    isAtEnd = true
                    break
                }
                input = more
                continue
            }
            if !isOpen { try await open() }
            if isBetweenMembers { try startMember() }
            let piece = try inflatePiece()
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    private func open() async throws(DocumentStreamError) {
        // The first two bytes distinguish the zlib format from raw deflate.
        while compression == .deflate, input.count < 2, let more = try await source() { input += more }
        let windowBits: Int32 = compression == .gzip ? 15 + 16 : Self.hasZlibHeader(input) ? 15 : -15
        let version = ZLIB_VERSION
        guard inflateInit2_(stream, windowBits, version, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .badCompression("zlib initialization failed")
        }
        isOpen = true
        isBetweenMembers = false
    }

    private func startMember() throws(DocumentStreamError) {
        guard compression == .gzip, inflateReset(stream) == Z_OK else {
            throw .badCompression("data follows the end of the compressed data")
        }
        isBetweenMembers = false
    }

    /// Decompresses until the output is full or the input is consumed.
    private func inflatePiece() throws(DocumentStreamError) -> ArraySlice<UInt8> {
        var output = [UInt8](repeating: 0, count: Self.pieceSize)
        var status = Z_OK
        var left = 0
        let count = output.withUnsafeMutableBufferPointer { output in
            input.withUnsafeBufferPointer { input in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = uInt(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(output.count)
                status = inflate(stream, Z_NO_FLUSH)
                left = Int(stream.pointee.avail_in)
                return output.count - Int(stream.pointee.avail_out)
            }
        }
        consumed += input.count - left
        produced += count
        input = input.suffix(left)
        // If the output is full, zlib may hold more output although it has consumed all input.
        isOutputPending = count == Self.pieceSize && status == Z_OK
        switch status {
        case Z_STREAM_END: isBetweenMembers = true
        case Z_OK, Z_BUF_ERROR: break
        default: throw .badCompression(stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(status)")
        }
        if produced > Self.ratioStartsAt, produced / max(consumed, 1) >= ratio {
            throw DocumentStreamError(
                .excessiveCompression,
                "the document is more than \(ratio) times larger after decompression; send the document uncompressed")
        }
        return output[..<count]
    }

    private static func hasZlibHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 2, let first = bytes.first else { return false }
        let header = Int(first) << 8 | Int(bytes[bytes.startIndex + 1])
        return first & 0x0F == 8 && header % 31 == 0
    }
}

extension DocumentStreamError {
    static func badCompression(_ reason: String) -> DocumentStreamError {
        DocumentStreamError(.badCompression, "cannot decompress the document: \(reason)")
    }
}
