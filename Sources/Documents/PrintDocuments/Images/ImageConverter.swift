// Converts images to PDFs.

import PrintModel

/// The converter of images.
///
/// Each page of a TIFF file becomes a page of the PDF. Files of other formats contain one image, which becomes the only
/// page of the PDF. The converter stores pixels losslessly, with two exceptions: transparent pixels are blended with
/// white, and samples are reduced to 8 bits.
struct ImageConverter {
    /// The maximum number of pixels of an image.
    static let mostPixels = 200_000_000
    /// The maximum width or height of an image, in pixels.
    static let longestSide = 300_000

    private let request: ConvertRequest
    private let name: String
    private var notices: [String] = []

    /// Converts the image of a request into a PDF.
    ///
    /// - Throws: `WorkError`: `damaged`, `unsupportedFormat` if a decoder is not installed, `outputTooLarge`,
    ///   `memoryExceeded`, `documentMissing` or `writeFailed`.
    static func convert(_ request: ConvertRequest) throws(WorkError) -> ConvertedDocument {
        var converter = ImageConverter(request)
        return try converter.convert()
    }

    private init(_ request: ConvertRequest) {
        self.request = request
        name = request.document.nameInMessages
    }

    private mutating func convert() throws(WorkError) -> ConvertedDocument {
        let head = try MappedFile(request.document, kind: request.type.name, prefix: 4096)
        guard let format = ImageFormat(head.bytes) else {
            throw .damagedImage(request.type.name, name, cause: "the first bytes match no known image format")
        }
        var pdf = try ImagePagesPDF(path: request.output, layout: request.layout)
        if format == .tiff {
            // libtiff reads the file itself, so that it may be larger than the memory.
            try addTIFF(to: &pdf)
        } else {
            let file = try MappedFile(request.document, kind: format.name)
            if format == .jpeg2000 {
                try addJPEG2000(file.bytes, to: &pdf)
            } else if format == .png {
                try addPNG(file.bytes, to: &pdf)
            } else if format.isIcon, let png = IconDirectory(file.bytes).largestPNG {
                try addPNG(png, to: &pdf)
            } else {
                try addPixbuf(file.bytes, format, PixbufHints(file.bytes, format), to: &pdf)
            }
        }
        try pdf.finish()
        return ConvertedDocument(
            pageCount: pdf.pageCount, hasSize: pdf.hasSize, notices: notices, isImage: true)
    }

    private mutating func addPNG(_ bytes: UnsafeRawBufferPointer, to pdf: inout ImagePagesPDF) throws(WorkError) {
        guard let header = PNGHeader(bytes) else {
            throw .damagedImage(ImageFormat.png.name, name, cause: "the header is missing or invalid")
        }
        try Self.check(.png, name, width: header.width, height: header.height)
        guard !header.isInterlaced else {
            let hints = PixbufHints(
                density: header.density, orientation: header.orientation, profile: header.profile)
            return try addPixbuf(bytes, .png, hints, to: &pdf)
        }
        let rows = PNGRows(bytes, header)
        var count = 0
        try pdf.add(rows.image) { sink throws(WorkError) in count = rows.read(to: sink) }
        guard count > 0 else {
            throw .damagedImage(ImageFormat.png.name, name, cause: "the pixels cannot be decompressed")
        }
        if count < header.height {
            notices.append("the PNG image '\(name)' ends too early or is damaged, so the lower part is missing")
        }
    }

    /// Adds the image without decoding it: renderers of PDF decode JPEG 2000.
    private mutating func addJPEG2000(_ bytes: UnsafeRawBufferPointer, to pdf: inout ImagePagesPDF) throws(WorkError) {
        guard let file = JPEG2000File(bytes) else {
            throw .damagedImage(ImageFormat.jpeg2000.name, name, cause: "the header is missing or invalid")
        }
        try Self.check(.jpeg2000, name, width: file.width, height: file.height)
        if file.hasOpacity {
            notices.append("the JPEG 2000 image '\(name)' is printed without its transparency")
        }
        let image = ImageProperties(width: file.width, height: file.height, colors: .rgb, density: file.density)
        try pdf.add(image, filter: "JPXDecode", stream: file.boxes + Array(bytes))
    }

    private mutating func addPixbuf(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ hints: PixbufHints, to pdf: inout ImagePagesPDF
    ) throws(WorkError) {
        let decoded = try PixbufImage(bytes, format, hints, name: name)
        try pdf.add(decoded.image) { sink throws(WorkError) in decoded.read(to: sink) }
    }

    private mutating func addTIFF(to pdf: inout ImagePagesPDF) throws(WorkError) {
        let file = try TIFFFile(path: request.document.path, name: name)
        var damage: String?
        var readablePages = 0
        repeat {
            guard file.isPage else { continue }
            guard pdf.pageCount < TIFFFile.mostPages else {
                throw WorkError(
                    .outputTooLarge,
                    "the TIFF image '\(name)' has more than \(TIFFFile.mostPages) pages; "
                        + "save the pages in several files")
            }
            let page = try file.page()
            var missing = 0
            try pdf.add(page.image) { sink throws(WorkError) in missing = page.read(to: sink) }
            if missing < page.image.height { readablePages += 1 }
            if missing > 0 {
                damage = file.lastProblem ?? damage
                notices.append(
                    "page \(pdf.pageCount) of the TIFF image '\(name)' is damaged, so a part of the page is missing")
            }
        } while file.nextDirectory()
        guard readablePages > 0 else { throw .damagedImage(ImageFormat.tiff.name, name, cause: damage) }
    }

    /// Checks the size of an image before memory is allocated.
    ///
    /// - Throws: `WorkError`: `damaged` for a size of 0; `outputTooLarge` if the image exceeds the limit.
    static func check(
        _ format: ImageFormat, _ name: String, width: Int, height: Int, limit: Int = mostPixels
    ) throws(WorkError) {
        guard width > 0, height > 0 else { throw .damagedImage(format.name, name, cause: "the image has no pixels") }
        guard max(width, height) <= longestSide, width * height <= limit else {
            throw .imageTooLarge(format.name, name, width: width, height: height, limit: limit)
        }
    }
}
