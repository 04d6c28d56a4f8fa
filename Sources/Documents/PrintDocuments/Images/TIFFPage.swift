// Reads the rows of a TIFF page.

import CTIFF
import Glibc

/// A page of a TIFF file.
///
/// A strip that stores all samples of a pixel together is read row by row. Tiles, and strips of separate color planes,
/// are read in blocks of rows. Each block is as high as a tile or strip. libtiff also reads pixels of rare formats in
/// blocks, and converts these pixels to RGB.
struct TIFFPage {
    /// The maximum size, in bytes, of a block of rows that is read at a time.
    private static let largestBlock = 400 << 20

    /// The properties of the image in the PDF.
    let image: ImageProperties
    private let file: OpaquePointer
    private let samples: TIFFSamples

    /// Creates the page from the file's current directory.
    init(_ file: OpaquePointer, _ image: ImageProperties, _ samples: TIFFSamples) {
        (self.file, self.image, self.samples) = (file, image, samples)
    }

    /// Delivers the rows to a sink; rows that cannot be decoded are white.
    ///
    /// - Returns: The number of incomplete rows.
    func read(to sink: ImageRowSink) -> Int {
        if samples.kind == .converted { return readConverted(to: sink) }
        if TIFFIsTiled(file) == 0, !samples.isPlanar { return readStrips(to: sink) }
        return readBlocks(to: sink)
    }

    private var rowsPerStrip: Int {
        var rows: UInt32 = 0
        withUnsafeMutablePointer(to: &rows) { pointer in
            withVaList([pointer]) { _ = TIFFVGetFieldDefaulted(file, UInt32(TIFFTAG_ROWSPERSTRIP), $0) }
        }
        return rows == 0 ? image.height : min(Int(rows), image.height)
    }

    private var tileSize: (width: Int, height: Int) {
        var (width, height): (UInt32, UInt32) = (0, 0)
        withUnsafeMutablePointer(to: &width) { pointer in
            withVaList([pointer]) { _ = TIFFVGetField(file, UInt32(TIFFTAG_TILEWIDTH), $0) }
        }
        withUnsafeMutablePointer(to: &height) { pointer in
            withVaList([pointer]) { _ = TIFFVGetField(file, UInt32(TIFFTAG_TILELENGTH), $0) }
        }
        return (Int(width), Int(height))
    }

    /// The byte value of white pixels in the file.
    private var whiteByte: CInt {
        switch samples.kind {
        case .gray(isInverted: true): 0
        default: CInt(image.white)
        }
    }

    /// The number of bytes in a stored row of a plane.
    private var storedRow: Int { (image.width * samples.bits * (samples.isPlanar ? 1 : samples.count) + 7) / 8 }

    // MARK: - Strips of whole pixels

    private func readStrips(to sink: ImageRowSink) -> Int {
        let length = Int(TIFFScanlineSize(file))
        guard length >= storedRow, length <= Self.largestBlock else { return image.height }
        let stored = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        defer { stored.deallocate() }
        let converter = RowConverter(samples, image)
        let rowsPerStrip = rowsPerStrip
        var (row, missing) = (0, 0)
        while row < image.height, sink.isWritable {
            if TIFFReadScanline(file, stored.baseAddress, UInt32(row), 0) == 1 {
                sink.add(converter.row([UnsafeRawPointer(stored.baseAddress!)]))
                row += 1
            } else {
                // The rest of the strip depends on the damaged row; the next strip does not.
                let count = min(rowsPerStrip - row % rowsPerStrip, image.height - row)
                sink.addWhite(count)
                row += count
                missing += count
            }
        }
        return missing
    }

    // MARK: - Tiles and planes

    private func readBlocks(to sink: ImageRowSink) -> Int {
        let isTiled = TIFFIsTiled(file) != 0
        let tile = isTiled ? tileSize : (width: image.width, height: rowsPerStrip)
        let planeCount = samples.isPlanar ? samples.count : 1
        let blockRow = isTiled ? Int(TIFFTileRowSize(file)) : Int(TIFFScanlineSize(file))
        let blockSize = isTiled ? Int(TIFFTileSize(file)) : Int(TIFFStripSize(file))
        guard tile.width > 0, tile.height > 0, blockRow > 0, planeCount <= 64 else { return image.height }
        let bitsPerRow = tile.width * samples.bits * (samples.isPlanar ? 1 : samples.count)
        // Tiles that end within a byte would have to be shifted.
        guard blockSize >= blockRow * tile.height, blockRow >= (bitsPerRow + 7) / 8, !isTiled || bitsPerRow % 8 == 0
        else { return image.height }
        let across = (image.width + tile.width - 1) / tile.width
        let bandRow = across * blockRow
        guard blockSize <= Self.largestBlock, bandRow * tile.height * planeCount <= Self.largestBlock else {
            return image.height
        }
        let band = UnsafeMutableRawBufferPointer.allocate(byteCount: bandRow * tile.height * planeCount, alignment: 16)
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
        defer {
            band.deallocate()
            block.deallocate()
        }
        let converter = RowConverter(samples, image)
        var missing = 0
        for top in stride(from: 0, to: image.height, by: tile.height) where sink.isWritable {
            let rows = min(tile.height, image.height - top)
            var isWhole = true
            for plane in 0..<planeCount {
                for column in 0..<across {
                    let isRead = read(block, isTiled: isTiled, x: column * tile.width, y: top, plane: plane)
                    if !isRead { isWhole = false }
                    for row in 0..<rows {
                        let target = band.baseAddress! + (plane * tile.height + row) * bandRow + column * blockRow
                        if isRead {
                            memcpy(target, block.baseAddress! + row * blockRow, blockRow)
                        } else {
                            memset(target, whiteByte, blockRow)
                        }
                    }
                }
            }
            if !isWhole { missing += rows }
            for row in 0..<rows {
                let planes = (0..<planeCount).map { plane in
                    UnsafeRawPointer(band.baseAddress! + (plane * tile.height + row) * bandRow)
                }
                sink.add(converter.row(planes))
            }
        }
        return missing
    }

    private func read(_ block: UnsafeMutableRawBufferPointer, isTiled: Bool, x: Int, y: Int, plane: Int) -> Bool {
        // A short block leaves the rest as it is.
        memset(block.baseAddress!, whiteByte, block.count)
        let (address, count) = (block.baseAddress!, tmsize_t(block.count))
        if isTiled {
            let tile = TIFFComputeTile(file, UInt32(x), UInt32(y), 0, UInt16(plane))
            return TIFFReadEncodedTile(file, tile, address, count) >= 0
        }
        return TIFFReadEncodedStrip(file, TIFFComputeStrip(file, UInt32(y), UInt16(plane)), address, count) >= 0
    }

    // MARK: - Pixels that libtiff converts

    private func readConverted(to sink: ImageRowSink) -> Int {
        var state = TIFFRGBAImage()
        var message = [CChar](repeating: 0, count: 1024)
        guard TIFFRGBAImageBegin(&state, file, 0, &message) == 1 else { return image.height }
        defer { TIFFRGBAImageEnd(&state) }
        // Rows in the order of the file: the PDF turns the image.
        state.req_orientation = state.orientation
        let band = TIFFIsTiled(file) != 0 ? tileSize.height : rowsPerStrip
        guard band > 0, min(band, image.height) * image.width * 4 <= Self.largestBlock else { return image.height }
        let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: min(band, image.height) * image.width)
        let row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: image.bytesPerRow)
        defer {
            pixels.deallocate()
            row.deallocate()
        }
        var missing = 0
        for top in stride(from: 0, to: image.height, by: band) where sink.isWritable {
            let rows = min(band, image.height - top)
            (state.row_offset, state.col_offset) = (Int32(top), 0)
            pixels.update(repeating: 0xFFFF_FFFF)
            guard TIFFRGBAImageGet(&state, pixels.baseAddress, UInt32(image.width), UInt32(rows)) == 1 else {
                sink.addWhite(rows)
                missing += rows
                continue
            }
            for y in 0..<rows {
                for x in 0..<image.width {
                    // The colors are multiplied by alpha.
                    let pixel = pixels[y * image.width + x]
                    let white = 255 - (pixel >> 24)
                    row[x * 3] = UInt8(min((pixel & 255) + white, 255))
                    row[x * 3 + 1] = UInt8(min((pixel >> 8 & 255) + white, 255))
                    row[x * 3 + 2] = UInt8(min((pixel >> 16 & 255) + white, 255))
                }
                sink.add(UnsafeBufferPointer(row))
            }
        }
        return missing
    }
}

/// A converter of TIFF rows, which reuses the memory of one converted row.
private final class RowConverter {
    private let samples: TIFFSamples
    private let image: ImageProperties
    private let result: UnsafeMutableBufferPointer<UInt8>

    init(_ samples: TIFFSamples, _ image: ImageProperties) {
        (self.samples, self.image) = (samples, image)
        result = .allocate(capacity: image.bytesPerRow)
        result.initialize(repeating: 0)
    }

    deinit { result.deallocate() }

    /// Returns a row, converted to the sample format of the PDF image.
    func row(_ planes: [UnsafeRawPointer]) -> UnsafeBufferPointer<UInt8> {
        if samples.isUnchanged {
            return UnsafeBufferPointer(
                start: planes[0].assumingMemoryBound(to: UInt8.self), count: image.bytesPerRow)
        }
        samples.convert(planes, width: image.width, to: result)
        return UnsafeBufferPointer(result)
    }
}
