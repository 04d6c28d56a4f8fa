// Reads and unpacks the lines of raster files.

import Glibc

/// A reader of PWG raster and Apple raster files.
///
/// For each line, the file contains the number of repetitions and the pixels. Within a line, runs of equal pixels
/// alternate with sequences of different pixels (PWG 5102.4 §4.4). The reader requires the memory of one line.
final class RasterReader {
    /// The two raster formats, which pack lines in the same way.
    enum Format { case pwg(isLittleEndian: Bool), urf }

    let format: Format
    private let descriptor: Int32
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: RasterReader.capacity)
    private static let capacity = 1 << 16
    private var filled = 0
    private var next = 0
    private var position = 0

    /// Opens a raster file and reads the file header.
    init(path: String) throws(RasterProblem) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            format = .urf
            throw .damaged("the file cannot be opened: \(String(cString: strerror(errno)))")
        }
        var head = [UInt8](repeating: 0, count: 4)
        let count = Glibc.read(descriptor, &head, 4)
        switch String(decoding: head.prefix(max(0, count)), as: UTF8.self) {
        case "RaS2": format = .pwg(isLittleEndian: false)
        case "2SaR": format = .pwg(isLittleEndian: true)
        case "UNIR": format = .urf
        default:
            format = .urf
            throw .damaged("the file is neither PWG raster nor Apple raster")
        }
        position = 4
        // In Apple raster the number of pages follows; 0 means unknown.
        if case .urf = format { _ = try bytes(8) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        buffer.deallocate()
    }

    /// The file offset of the next byte, in bytes.
    var offset: Int { position }

    /// Moves to a file position that `offset` has returned.
    func seek(to offset: Int) {
        lseek(descriptor, off_t(offset), SEEK_SET)
        (position, filled, next) = (offset, 0, 0)
    }

    /// Reads the header of the next page; returns nil at the end of the file.
    func header() throws(RasterProblem) -> RasterPageHeader? {
        if next == filled, !fill() { return nil }
        switch format {
        case .pwg(let isLittleEndian):
            let bytes = try bytes(RasterPageHeader.bytesOfPWG)
            return try RasterPageHeader(pwg: bytes, isLittleEndian: isLittleEndian)
        case .urf:
            return try RasterPageHeader(urf: try bytes(RasterPageHeader.bytesOfURF))
        }
    }

    /// Reads a page's lines from top to bottom.
    ///
    /// - Parameter body: A function that receives each line, its number of repetitions, and the number of bytes that
    ///   the file contains for the line. The missing bytes of the line are white. 16-bit components are big-endian.
    func lines(
        of header: RasterPageHeader, _ body: (UnsafeBufferPointer<UInt8>, Int, Int) -> Void
    ) throws(RasterProblem) {
        let line = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: header.bytesPerLine)
        defer { line.deallocate() }
        let (unit, white): (Int, UInt8) = (header.unit, header.colors == .black || header.colors == .cmyk ? 0 : 255)
        var isSwapped = false
        if case .pwg(isLittleEndian: true) = format { isSwapped = header.bitsPerColor == 16 }
        var left = header.height
        while left > 0 {
            let count = Int(try byte()) + 1
            guard count <= left else { throw .damaged("a page has more lines than its header declares") }
            let sent = try unpack(into: line, unit: unit, white: white)
            if isSwapped {
                for index in stride(from: 0, to: line.count - 1, by: 2) { line.swapAt(index, index + 1) }
            }
            body(UnsafeBufferPointer(line), count, sent)
            left -= count
        }
    }

    /// Unpacks one line of a page.
    ///
    /// - Returns: The number of bytes that the file contains for the line.
    private func unpack(
        into line: UnsafeMutableBufferPointer<UInt8>, unit: Int, white: UInt8
    ) throws(RasterProblem) -> Int {
        guard let base = line.baseAddress else { return 0 }
        var start = 0
        while start < line.count {
            let code = Int(try byte())
            if code == 128 {
                // In Apple raster, 128 fills the rest of the line with white.
                memset(base + start, Int32(white), line.count - start)
                return start
            }
            let length = (code < 128 ? code + 1 : 257 - code) * unit
            guard length <= line.count - start else { throw .damaged("a line is longer than the width of the page") }
            if code > 128 {
                try read(into: base + start, length)
            } else {
                try read(into: base + start, unit)
                // Double the filled part until the run is complete.
                var done = unit
                while done < length {
                    let count = min(done, length - done)
                    memcpy(base + start + done, base + start, count)
                    done += count
                }
            }
            start += length
        }
        return line.count
    }

    // MARK: - Bytes

    private func byte() throws(RasterProblem) -> UInt8 {
        if next == filled, !fill() { throw Self.endsTooEarly }
        next += 1
        position += 1
        return buffer[next - 1]
    }

    private func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int) throws(RasterProblem) {
        var done = 0
        while done < count {
            if next == filled, !fill() { throw Self.endsTooEarly }
            let piece = min(count - done, filled - next)
            memcpy(target + done, buffer + next, piece)
            (done, next, position) = (done + piece, next + piece, position + piece)
        }
    }

    private static var endsTooEarly: RasterProblem { .damaged("the file ends in the middle of a page") }

    private func bytes(_ count: Int) throws(RasterProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        for index in 0..<count { bytes[index] = try byte() }
        return bytes
    }

    private func fill() -> Bool {
        next = 0
        filled = 0
        while true {
            let count = Glibc.read(descriptor, buffer, Self.capacity)
            if count < 0, errno == EINTR { continue }
            filled = max(0, count)
            return count > 0
        }
    }
}
