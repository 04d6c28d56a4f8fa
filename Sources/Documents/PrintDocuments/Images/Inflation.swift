// Decompresses zlib and gzip data with a limit.

import CZlib

/// A decompressor that receives zlib or gzip data in parts.
final class Inflation {
    // zlib keeps the address of its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the decompressor has reached the end of the data, and the checksum matches.
    private(set) var isComplete = false
    /// Whether the compressed data is damaged.
    private(set) var isDamaged = false

    /// Creates a decompressor; nil if there is not enough memory.
    ///
    /// - Parameter isGzip: Whether the data has a gzip header instead of a zlib header.
    init?(isGzip: Bool = false) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, isGzip ? 31 : 15, ZLIB_VERSION, size) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Sets the next part of the compressed input.
    ///
    /// The memory must stay valid until the decompressor has read the whole part.
    func setInput(_ part: UnsafeRawBufferPointer) {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: part.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = uInt(part.count)
    }

    /// Decompresses input until the buffer is full or the input ends, and returns the number of bytes in the buffer.
    ///
    /// If the number is less than the size of the buffer, the decompressor needs more input, or the data is complete or
    /// damaged.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !isComplete, !isDamaged, !buffer.isEmpty else { return 0 }
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = uInt(buffer.count)
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isComplete = true
        default: isDamaged = true
        }
        return buffer.count - Int(stream.pointee.avail_out)
    }

    /// Decompresses data; returns nil if the data is damaged or incomplete, or if the result is larger than `limit`
    /// bytes.
    static func bytes(of data: UnsafeRawBufferPointer, isGzip: Bool = false, limit: Int) -> [UInt8]? {
        guard let inflation = Inflation(isGzip: isGzip) else { return nil }
        inflation.setInput(data)
        var result: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = block.withUnsafeMutableBytes { inflation.read(into: $0) }
            guard !inflation.isDamaged, result.count + count <= limit else { return nil }
            result += block[..<count]
            if inflation.isComplete { return result }
            if count == 0 { return nil }
        }
    }
}
