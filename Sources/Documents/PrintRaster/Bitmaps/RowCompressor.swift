// Compresses image rows to a zlib stream.

import CZlib
import Glibc

/// A compressor that receives the rows of a PDF image one at a time, for `/FlateDecode` with `/Predictor 15`.
///
/// Each row is stored as its difference from the row above (PNG filter 2, W3C PNG §9.2), so repeated rows become zeros.
/// The compressor requires the memory of one row.
package final class RowCompressor {
    /// The fastest compression level of zlib.
    ///
    /// With this level, pages of text are hardly larger than with the default level. Photos are large with both levels.
    private static let level: Int32 = 1
    private static let capacity = 1 << 18

    // zlib keeps the address of its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutableBufferPointer<UInt8>
    private let bytesPerRow: Int
    /// The row before the current row.
    private let above: UnsafeMutablePointer<UInt8>
    /// The bytes of the current row for zlib: the filter number and the differences.
    private let filtered: UnsafeMutablePointer<UInt8>
    private let take: (UnsafeBufferPointer<UInt8>) -> Void

    /// Creates a compressor for rows of the given length in bytes.
    ///
    /// Returns nil if there is not enough memory.
    ///
    /// - Parameter take: A function that receives each piece of the compressed stream.
    package init?(bytesPerRow: Int, take: @escaping (UnsafeBufferPointer<UInt8>) -> Void) {
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

    /// Compresses a row that occurs the given number of times in succession.
    ///
    /// - Parameter row: The row, which consists of `bytesPerRow` bytes.
    package func add(_ row: UnsafeBufferPointer<UInt8>, times: Int) {
        precondition(row.count == bytesPerRow, "a row must have \(bytesPerRow) bytes, but has \(row.count)")
        guard let bytes = row.baseAddress else { return }
        subtract(bytes)
        memcpy(above, bytes, bytesPerRow)
        deflate(bytesPerRow + 1, Z_NO_FLUSH)
        guard times > 1 else { return }
        memset(filtered + 1, 0, bytesPerRow)
        for _ in 1..<times { deflate(bytesPerRow + 1, Z_NO_FLUSH) }
    }

    /// Stores the differences between a row and the previous row in `filtered`, eight bytes at a time.
    ///
    /// Each byte is subtracted separately, without a borrow from the next byte.
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

    /// Ends the compressed stream.
    package func finish() { deflate(0, Z_FINISH) }

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
