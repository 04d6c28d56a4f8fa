// Tests the conversion of images.

import PrintDocuments
import FoundationEssentials
import PrintModel
import PrintTestSupport
import Testing

private let quarters = """
    RRGG
    BBKK
    """

// heif-enc misreads PNG images with a palette.
private let opaque = ["-define", "png:color-type=2"]

@Suite struct ImageConverterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["png", "tiff", "gif", "bmp", "webp"])
    func `the conversion of an image in each lossless format keeps the pixels`(format: String) async throws {
        let options = format == "webp" ? ["-define", "webp:lossless=true"] : []
        let conversion = try await Conversion(makeQuarters("a.\(format)", in: folder, options: options))
        #expect(conversion.document.pageCount == 1)
        let page = try await conversion.page()
        #expect(page.width == 40 && page.height == 20)
        expectPixels(page, quarters)
    }

    @Test(arguments: ["heif", "avif"])
    func `the conversion of an image in each lossy format changes the colors only slightly`(format: String) async throws
    {
        let png = try await makeQuarters("a.png", in: folder, size: "64x64", options: opaque)
        let path = folder.path("a.\(format)")
        try await run(format == "avif" ? "avifenc" : "heif-enc", format == "avif" ? [png, path] : [png, "-o", path])
        let conversion = try await Conversion(path)
        #expect(!conversion.document.hasSize)
        expectPixels(try await conversion.page(), quarters)
    }

    @Test func `the largest image in an icon file is printed`() async throws {
        let path = folder.path("a.ico")
        try await run("convert", ["-size", "16x16", "xc:red", "-size", "48x48", "xc:blue", path])
        let page = try await Conversion(path).page()
        #expect(page.width == 48 && page.height == 48)
        expectPixels(page, "BB")
        // A cursor is an icon of type 2, whose directory has the position of the tip instead of color counts.
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        bytes[2] = 2
        for entry in 0..<2 { for byte in 4..<8 { bytes[6 + entry * 16 + byte] = 0 } }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("a.cur")))
        expectPixels(try await Conversion(folder.path("a.cur")).page(), "BB")
    }

    @Test func `an X bitmap is converted to a black-and-white image`() async throws {
        let path = folder.path("a.xbm")
        try await run("convert", ["-size", "16x16", "xc:black", "xc:white", "+append", path])
        let conversion = try await Conversion(path)
        expectPixels(try await conversion.page(), "K_")
        #expect(try await conversion.images()[0][5...7] == ["gray", "1", "1"])
    }

    @Test func `the resolution of an image determines the size of its page in points`() async throws {
        let path = try await makeQuarters("a.png", in: folder, options: ["-units", "PixelsPerInch", "-density", "144"])
        let conversion = try await Conversion(path)
        #expect(conversion.document.hasSize)
        #expect(try await run("pdfinfo", [conversion.path]).contains("20 x 10 pts"))
        let implausible = try await makeQuarters(
            "b.png", in: folder, options: ["-units", "PixelsPerInch", "-density", "3"])
        let other = try await Conversion(implausible)
        #expect(!other.document.hasSize)
        #expect(try await run("pdfinfo", [other.path]).contains("40 x 20 pts"))
    }

    @Test func `the compressed pixels of a PNG image are copied to the PDF unchanged`() async throws {
        let path = folder.path("a.png")
        try await run("convert", ["-size", "300x300", "plasma:", "-quality", "95", "PNG24:\(path)"])
        let conversion = try await Conversion(path)
        func size(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        }
        #expect(try size(conversion.path) < size(path) + 2000)
    }

    @Test(arguments: [
        ("PNG8:", "index", "8"), ("PNG24:", "rgb", "8"), ("PNG32:", "rgb", "8"), ("PNG48:", "rgb", "8"),
    ])
    func `a PNG image of each color type is converted without changing the pixels`(
        type: String, color: String, bits: String
    ) async throws {
        let source = try await makeQuarters("source.png", in: folder)
        let path = folder.path("a.png")
        try await run("convert", [source, type + path])
        let conversion = try await Conversion(path)
        expectPixels(try await conversion.page(), quarters)
        #expect(try await conversion.images()[0][5] == color)
        #expect(try await conversion.images()[0][7] == bits || type == "PNG8:")
    }

    @Test func `an interlaced PNG image is converted without changing the pixels`() async throws {
        let path = try await makeQuarters("a.png", in: folder, options: ["-interlace", "PNG"])
        expectPixels(try await Conversion(path).page(), quarters)
    }

    @Test(arguments: ["PNG32:a.png", "PNG64:b.png", "c.tiff", "d.webp", "PNG8:e.png", "f.gif"])
    func `transparent pixels of an image are printed white`(file: String) async throws {
        let path = folder.path(String(file.split(separator: ":").last ?? ""))
        let prefix = file.contains(":") ? String(file.prefix { $0 != ":" }) + ":" : ""
        try await run(
            "convert",
            ["-size", "20x20", "xc:none", "xc:red", "+append", "-define", "webp:lossless=true", prefix + path])
        expectPixels(try await Conversion(path).page(), "_R")
    }

    @Test func `a gray pixel with an opacity of 50% is printed half as dark as an opaque pixel`() async throws {
        let path = folder.path("a.png")
        try await run("convert", ["-size", "20x20", "xc:rgba(0,0,0,0.5)", "-define", "png:color-type=4", path])
        let conversion = try await Conversion(path)
        expectPixels(try await conversion.page(), "A")
        #expect(try await conversion.images()[0][5] == "gray")
    }

    @Test(arguments: ["png", "tiff", "webp"])
    func `an image is turned according to the orientation in the file`(format: String) async throws {
        let path = try await makeQuarters("a.\(format)", in: folder, options: ["-define", "webp:lossless=true"])
        if format == "tiff" {
            try await run("tiffset", ["-s", "274", "6", path])
        } else {
            try await run("exiftool", ["-q", "-overwrite_original", "-Orientation#=6", path])
        }
        let page = try await Conversion(path).page()
        #expect(page.width == 20 && page.height == 40)
        expectPixels(
            page,
            """
            BR
            KG
            """)
    }

    @Test(arguments: [
        (2, "GGRR KKBB"), (3, "KKBB GGRR"), (4, "BBKK RRGG"), (5, "RB GK"), (6, "BR KG"), (7, "KG BR"), (8, "GK RB"),
    ])
    func `an image with any of the TIFF orientations is converted to an upright page`(orientation: Int, rows: String)
        async throws
    {
        let path = try await makeQuarters("a.tiff", in: folder)
        try await run("tiffset", ["-s", "274", "\(orientation)", path])
        expectPixels(try await Conversion(path).page(), rows.replacing(" ", with: "\n"))
    }

    @Test(arguments: ["heif", "avif"])
    func `the orientation of a HEIF or AVIF image is applied only once`(format: String) async throws {
        let png = try await makeQuarters("a.png", in: folder, size: "64x32", options: opaque)
        let path = folder.path("a.\(format)")
        if format == "avif" {
            try await run("avifenc", ["--irot", "3", png, path])
            expectPixels(try await Conversion(path).page(), "BR\nKG")
        } else {
            try await run("heif-enc", [png, "-o", path])
            try await run("exiftool", ["-q", "-overwrite_original", "-Orientation#=6", path])
            expectPixels(try await Conversion(path).page(), quarters)
        }
    }

    @Test func `an embedded ICC profile changes the colors`() async throws {
        let profile = folder.path("swapped.icc")
        try Data(ProfileBuilder.swappedRedAndBlue).write(to: URL(fileURLWithPath: profile))
        for format in ["png", "tiff", "webp"] {
            let path = try await makeQuarters(
                "a.\(format)", in: folder, options: ["-define", "webp:lossless=true", "-profile", profile])
            let conversion = try await Conversion(path)
            expectPixels(
                try await conversion.page(),
                """
                BBGG
                RRKK
                """)
        }
    }

    @Test func `an ICC profile is ignored if the profile does not match the color space of the image`() async throws {
        let profile = folder.path("gray.icc")
        var bytes = ProfileBuilder.swappedRedAndBlue
        bytes.replaceSubrange(16..<20, with: Array("GRAY".utf8))
        try Data(bytes).write(to: URL(fileURLWithPath: profile))
        let path = try await makeQuarters("a.png", in: folder)
        try await run("exiftool", ["-q", "-overwrite_original", "-icc_profile<=\(profile)", path])
        let conversion = try await Conversion(path)
        #expect(try await conversion.images()[0][5] != "icc")
        expectPixels(try await conversion.page(), quarters)
    }

    @Test func `if an image is scaled to fill the page, the image is turned, and its edges are cropped equally`()
        async throws
    {
        let path = folder.path("a.png")
        // Stripes of equal width: red, green, blue, green, red.
        try await run(
            "convert", ["-size", "60x100", "xc:red", "xc:lime", "xc:blue", "xc:lime", "xc:red", "+append", path])
        var layout = ConversionLayout(pageSize: Size(width: 200, height: 300))
        layout.fillsPage = true
        let conversion = try await Conversion(path, layout: layout)
        #expect(conversion.document.hasSize)
        let page = try await conversion.page()
        #expect(page.width == 200 && page.height == 300)
        // The image of 300 × 100 becomes 600 × 200 and is turned counterclockwise; half of it is visible.
        expectPixels(
            page,
            """
            GGGG
            GGGG
            BBBB
            BBBB
            GGGG
            GGGG
            """)
    }

    @Test func `a truncated PNG image is printed with a notice`() async throws {
        let path = folder.path("a.png")
        try await run("convert", ["-size", "100x100", "plasma:", "PNG24:\(path)"])
        let bytes = try #require(FileManager.default.contents(atPath: path))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        let conversion = try await Conversion(path)
        #expect(conversion.document.notices.count == 1)
        let page = try await conversion.page()
        #expect(page.rgb(x: 50, y: 99) == (255, 255, 255))
        #expect(page.rgb(x: 50, y: 5) != (255, 255, 255))
    }

    @Test func `an image that is too large is refused before it is decoded`() async throws {
        var header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        header += [0, 0, 0x80, 0, 0, 0, 0x80, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + Array("IDAT".utf8)
        header += [0, 0, 0, 0]
        try Data(header).write(to: URL(fileURLWithPath: folder.path("a.png")))
        let error = await #expect(throws: WorkError.self) { try await Conversion(folder.path("a.png")) }
        #expect(error?.code == .outputTooLarge)
        #expect(error?.message.contains("32768 × 32768 pixels") == true)
    }

    @Test func `a file that is not an image is refused`() async throws {
        try "hello".write(toFile: folder.path("a.png"), atomically: true, encoding: .utf8)
        let error = await #expect(throws: WorkError.self) { try await Conversion(folder.path("a.png")) }
        #expect(error?.code == .damaged)
    }

    @Test(arguments: ["1x1", "1x9000", "9000x1", "3x5"])
    func `an image of any size is converted to a page that can be drawn`(size: String) async throws {
        let path = folder.path("a.png")
        try await run("convert", ["-size", size, "xc:red", path])
        let page = try await Conversion(path).page()
        #expect(page.rgb(x: page.width / 2, y: page.height / 2) == (255, 0, 0))
    }

    @Test(arguments: ["png", "gif", "bmp", "ico", "xbm", "webp", "heif", "avif"])
    func `the conversion of a damaged image never crashes the process`(format: String) async throws {
        let png = try await makeQuarters("a.png", in: folder, size: "24x24")
        let path = folder.path("a.\(format)")
        switch format {
        case "png": break
        case "avif": try await run("avifenc", [png, path])
        case "heif": try await run("heif-enc", [png, "-o", path])
        default: try await run("convert", [png, path])
        }
        var mutations = ByteMutations()
        _ = try await convertDamaged(path, times: 300, &mutations)
    }
}
