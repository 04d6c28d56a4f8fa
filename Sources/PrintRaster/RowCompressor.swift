// Rows of an image as one zlib stream, in the memory of one row.

import CZlib

/// Compresses the rows of an image as they come, for a PDF image with `/FlateDecode` and `/Predictor 15`.
///
/// Each row is stored as its difference from the row above (PNG filter 2, W3C PNG §9.2): rows that repeat become zeros.
final class RowCompressor {
    /// zlib's quickest level: pages of text are hardly larger than with its usual one, and photos are large with either.
    private static let level: Int32 = 1
    private static let capacity = 1 << 18

    // zlib keeps the address of its stream, so it must never move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutableBufferPointer<UInt8>
    /// The row above, and the bytes of a row that go to zlib: the filter's number and the differences.
    private var above: [UInt8]
    private var filtered: [UInt8]
    private let take: (UnsafeBufferPointer<UInt8>) -> Void

    /// A compressor of rows of the given length.
    ///
    /// Returns nil when there is no memory for it.
    ///
    /// - Parameter take: Takes each piece of the stream.
    init?(bytesPerRow: Int, take: @escaping (UnsafeBufferPointer<UInt8>) -> Void) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        output = .allocate(capacity: Self.capacity)
        above = [UInt8](repeating: 0, count: bytesPerRow)
        filtered = [UInt8](repeating: 0, count: bytesPerRow + 1)
        filtered[0] = 2
        self.take = take
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit_(stream, Self.level, ZLIB_VERSION, size) == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Adds a row that comes so many times in a row.
    func add(_ row: UnsafeBufferPointer<UInt8>, times: Int) {
        for index in row.indices {
            filtered[index + 1] = row[index] &- above[index]
            above[index] = row[index]
        }
        deflate(Z_NO_FLUSH)
        guard times > 1 else { return }
        for index in 1..<filtered.count { filtered[index] = 0 }
        for _ in 1..<times { deflate(Z_NO_FLUSH) }
    }

    /// Ends the stream.
    func finish() {
        filtered = []
        deflate(Z_FINISH)
    }

    private func deflate(_ flush: Int32) {
        filtered.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = uInt(input.count)
            repeat {
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(output.count)
                _ = CZlib.deflate(stream, flush)
                take(UnsafeBufferPointer(rebasing: output[..<(output.count - Int(stream.pointee.avail_out))]))
            } while stream.pointee.avail_out == 0
        }
    }
}
