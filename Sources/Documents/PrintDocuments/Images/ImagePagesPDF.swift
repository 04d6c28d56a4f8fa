// Writes images as pages of a PDF, one row at a time.

import PrintModel
import PrintRaster

/// A PDF writer that stores each image losslessly on a separate page.
///
/// The writer holds only one row of an image in memory.
struct ImagePagesPDF {
    private static let catalog = 1
    private static let tree = 2

    private let output: ConvertedFile
    private let layout: ConversionLayout
    private var file = PDFWriter(version: "1.5")
    private var pages: [Int] = []
    /// The most recently written ICC profile, and its object number in the PDF.
    ///
    /// The next page refers to this object if its image has the same profile, as in most scans.
    private var lastProfile: (profile: ColorProfile, object: Int)?
    /// Whether all pages have the sizes that the images declare.
    private(set) var hasSize = true
    /// The number of pages added so far.
    var pageCount: Int { pages.count }

    /// Creates the PDF file, which has a temporary name until `finish()` is called.
    init(path: String, layout: ConversionLayout) throws(WorkError) {
        output = try ConvertedFile(path: path)
        self.layout = layout
        file.reserve(Self.tree)
    }

    /// Adds a page with an image.
    ///
    /// Rows that the source does not deliver are white.
    ///
    /// - Parameter source: A function that delivers the rows of the image to a sink.
    mutating func add(
        _ image: ImageProperties, from source: (ImageRowSink) throws(WorkError) -> Void
    ) throws(WorkError) {
        let placement = ImagePlacement(image, layout: layout)
        hasSize = hasSize && placement.hasSize
        let profile = profileObject(of: image)
        let object = file.objectCount + 1
        file.reserve(2)
        file.beginStream(
            object: object, image.dictionary(profileObject: profile, lengthObject: object + 1))
        try flush()
        guard let sink = ImageRowSink(image, output: output) else {
            throw WorkError(.memoryExceeded, "the image needs more memory than is available; print a smaller image")
        }
        try source(sink)
        file.endStream(lengthObject: object + 1, length: try sink.finish())
        addPage(placement, image: object)
        try flush()
    }

    /// Adds a page with an encoded image, whose colors are those that the image declares.
    mutating func add(_ image: ImageProperties, filter: String, stream: [UInt8]) throws(WorkError) {
        let placement = ImagePlacement(image, layout: layout)
        hasSize = hasSize && placement.hasSize
        file.add(
            "<< /Type /XObject /Subtype /Image /Width \(image.width) /Height \(image.height) /Filter /\(filter)"
                + " /Length \(stream.count) >>", stream: stream)
        addPage(placement, image: file.objectCount)
        try flush()
    }

    /// Writes the page tree, and renames the file to its final name.
    mutating func finish() throws(WorkError) {
        let kids = pages.map { "\($0) 0 R" }.joined(separator: "\n")
        file.write(object: Self.tree, "<< /Type /Pages /Count \(pages.count) /Kids [\n\(kids)\n] >>")
        file.write(object: Self.catalog, "<< /Type /Catalog /Pages \(Self.tree) 0 R >>")
        file.finish(root: Self.catalog)
        try flush()
        try output.finish()
    }

    private mutating func profileObject(of image: ImageProperties) -> Int? {
        let components = if case .indexed = image.colors { 3 } else { image.samplesPerPixel }
        guard let profile = image.profile?.matching(components: components) else { return nil }
        if let lastProfile, lastProfile.profile == profile { return lastProfile.object }
        let alternate = [1: "/DeviceGray", 3: "/DeviceRGB"][components] ?? "/DeviceCMYK"
        file.add(
            "<< /N \(components) /Alternate \(alternate) /Length \(profile.bytes.count) >>", stream: profile.bytes)
        lastProfile = (profile, file.objectCount)
        return file.objectCount
    }

    private mutating func addPage(_ placement: ImagePlacement, image: Int) {
        let (width, height) = (
            PDFWriter.decimal(placement.pageSize.width), PDFWriter.decimal(placement.pageSize.height)
        )
        let matrix = placement.transform
        let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f].map { PDFWriter.decimal($0) }
        let drawing = Array(
            "0 0 \(width) \(height) re W n \(numbers.joined(separator: " ")) cm /Image Do".utf8)
        file.add("<< /Length \(drawing.count) >>", stream: drawing)
        file.add(
            "<< /Type /Page /Parent \(Self.tree) 0 R /MediaBox [0 0 \(width) \(height)]"
                + " /Resources << /XObject << /Image \(image) 0 R >> >> /Contents \(file.objectCount) 0 R >>")
        pages.append(file.objectCount)
    }

    private mutating func flush() throws(WorkError) { try output.append(file.takeBytes()) }
}

/// An object that receives the rows of an image and compresses the rows.
final class ImageRowSink {
    private let output: StreamOutput
    private let rows: RowCompressor
    private let height: Int
    private let whiteRow: [UInt8]
    private var rowCount = 0
    private var isCompressed = false

    fileprivate init?(_ image: ImageProperties, output file: ConvertedFile) {
        let output = StreamOutput(file)
        guard let rows = RowCompressor(bytesPerRow: image.bytesPerRow, take: { output.take($0) }) else { return nil }
        (self.output, self.rows, height) = (output, rows, image.height)
        whiteRow = Array(repeating: image.white, count: image.bytesPerRow)
    }

    /// Whether all writes to the file have succeeded.
    ///
    /// After a failed write, the source can omit the remaining rows.
    var isWritable: Bool { output.failure == nil }

    /// Adds a row of `bytesPerRow` bytes; rows beyond the height of the image are ignored.
    func add(_ row: UnsafeBufferPointer<UInt8>) {
        guard rowCount < height, isWritable else { return }
        rowCount += 1
        rows.add(row, times: 1)
    }

    /// Adds `count` white rows; rows beyond the height of the image are ignored.
    func addWhite(_ count: Int) {
        let count = min(count, height - rowCount)
        guard count > 0, isWritable else { return }
        rowCount += count
        whiteRow.withUnsafeBufferPointer { rows.add($0, times: count) }
    }

    /// Adds the next bytes of the image's zlib stream.
    ///
    /// The stream contains all rows of the image, and a PNG filter number before each row.
    ///
    /// The caller adds an image either as a zlib stream or as rows.
    func add(compressed piece: UnsafeBufferPointer<UInt8>) {
        isCompressed = true
        output.take(piece)
    }

    /// Completes the image stream, and returns its length in bytes.
    fileprivate func finish() throws(WorkError) -> Int {
        if !isCompressed {
            addWhite(height)
            rows.finish()
        }
        if let failure = output.failure { throw failure }
        return output.length
    }
}

/// A file that receives the output of a compressor.
///
/// The object stores the first error that occurs while the file is written.
private final class StreamOutput {
    private let file: ConvertedFile
    private(set) var length = 0
    private(set) var failure: WorkError?

    init(_ file: ConvertedFile) { self.file = file }

    func take(_ piece: UnsafeBufferPointer<UInt8>) {
        guard failure == nil, !piece.isEmpty else { return }
        length += piece.count
        do throws(WorkError) { try file.append(piece) } catch { failure = error }
    }
}
