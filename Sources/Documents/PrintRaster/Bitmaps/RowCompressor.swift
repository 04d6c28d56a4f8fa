// Rows of an image as one zlib stream, in the memory of one row.

import CZlib
import Glibc

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
    private let bytesPerRow: Int
    /// The row above.
    private let above: UnsafeMutablePointer<UInt8>
    /// The bytes of a row that go to zlib: the filter's number and the differences.
    private let filtered: UnsafeMutablePointer<UInt8>
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
        above = .allocate(capacity: bytesPerRow)
        above.initialize(repeating: 0, count: bytesPerRow)
        filtered = .allocate(capacity: bytesPerRow + 1)
        filtered.initialize(repeating: 0, count: bytesPerRow + 1)
        filtered[0] = 2
        self.bytesPerRow = bytesPerRow
        self.take = take
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit_(stream, Self.level, ZLIB_VERSION, size) == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
        above.deallocate()
        filtered.deallocate()
    }

    /// Adds a row that comes so many times in a row.
    ///
    /// - Parameter row: As many bytes as a row has.
    func add(_ row: UnsafeBufferPointer<UInt8>, times: Int) {
        precondition(row.count == bytesPerRow, "a row has \(bytesPerRow) bytes, not \(row.count)")
        guard let bytes = row.baseAddress else { return }
        subtract(bytes)
        memcpy(above, bytes, bytesPerRow)
        deflate(bytesPerRow + 1, Z_NO_FLUSH)
        guard times > 1 else { return }
        memset(filtered + 1, 0, bytesPerRow)
        for _ in 1..<times { deflate(bytesPerRow + 1, Z_NO_FLUSH) }
    }

    /// Writes the differences between a row and the row above, eight bytes at a time without a borrow from byte to byte.
    private func subtract(_ row: UnsafePointer<UInt8>) {
        let (raw, rawAbove) = (UnsafeRawPointer(row), UnsafeRawPointer(above))
        let target = UnsafeMutableRawPointer(filtered + 1)
        let high: UInt64 = 0x8080_8080_8080_8080
        var index = 0
        while index + 8 <= bytesPerRow {
            let new = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let old = rawAbove.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let difference = ((new | high) &- (old & ~high)) ^ ((new ^ ~old) & high)
            target.storeBytes(of: difference, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytesPerRow {
            filtered[index + 1] = row[index] &- above[index]
            index += 1
        }
    }

    /// Ends the stream.
    func finish() { deflate(0, Z_FINISH) }

    private func deflate(_ count: Int, _ flush: Int32) {
        stream.pointee.next_in = filtered
        stream.pointee.avail_in = uInt(count)
        repeat {
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = uInt(output.count)
            _ = CZlib.deflate(stream, flush)
            take(UnsafeBufferPointer(rebasing: output[..<(output.count - Int(stream.pointee.avail_out))]))
        } while stream.pointee.avail_out == 0
    }
}
