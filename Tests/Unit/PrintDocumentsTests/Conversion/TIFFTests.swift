// Tests the conversion of TIFF images.

import FoundationEssentials
import PrintModel
import PrintTestSupport
import Testing

private let quarters = """
    RRGG
    BBKK
    """

@Suite struct TIFFTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `each page of a TIFF image becomes a page of the PDF`() async throws {
        let path = folder.path("a.tiff")
        try await run("convert", ["-size", "20x10", "xc:red", "xc:lime", "xc:blue", path])
        let conversion = try await Conversion(path)
        #expect(conversion.document.pageCount == 3)
        for (number, letter) in [(1, "R"), (2, "G"), (3, "B")] {
            expectPixels(try await conversion.page(number), letter)
        }
    }

    @Test(arguments: ["none", "lzw", "zip", "rle", "jpeg"])
    func `a TIFF image with any supported compression is converted`(compression: String) async throws {
        let path = try await makeQuarters("a.tiff", in: folder, size: "32x32", options: ["-compress", compression])
        expectPixels(try await Conversion(path).page(), quarters)
    }

    @Test(arguments: ["Group4", "Fax"])
    func `a fax page is converted to black and white, and keeps the horizontal and vertical resolutions`(
        compression: String
    ) async throws {
        let path = folder.path("a.tiff")
        try await run(
            "convert",
            [
                "-size", "204x49", "xc:black", "xc:white", "-append", "-units", "PixelsPerInch", "-density", "204x98",
                "-monochrome", "-compress", compression, path,
            ])
        let conversion = try await Conversion(path)
        #expect(conversion.document.hasSize)
        #expect(try await conversion.images()[0][5...7] == ["gray", "1", "1"])
        let page = try await conversion.page()
        #expect(page.width == 72 && page.height == 72)
        expectPixels(page, "K\n_")
    }

    @Test(arguments: [["-t", "-w", "16", "-l", "16"], ["-p", "separate"], ["-t", "-p", "separate"], ["-r", "3"]])
    func `a TIFF image with tiles, planes or strips is converted`(options: [String]) async throws {
        let path = try await makeQuarters("a.tiff", in: folder, size: "33x21", options: ["-depth", "8"])
        try await run("tiffcp", options + [path, folder.path("b.tiff")])
        let page = try await Conversion(folder.path("b.tiff")).page()
        #expect(page.width == 66 && page.height == 42)
        expectPixels(page, quarters)
    }

    @Test func `samples of 16 bits in a TIFF image are converted to 8 bits`() async throws {
        let path = try await makeQuarters("a.tiff", in: folder, options: ["-depth", "16"])
        let conversion = try await Conversion(path)
        expectPixels(try await conversion.page(), quarters)
        #expect(try await conversion.images()[0][5...7] == ["rgb", "3", "8"])
    }

    @Test(arguments: ["1", "2", "4", "8", "16"])
    func `the conversion of a grayscale TIFF image keeps the gray levels`(depth: String) async throws {
        let path = folder.path("a.tiff")
        try await run(
            "convert",
            ["-size", "20x20", "xc:black", "xc:white", "+append", "-colorspace", "Gray", "-depth", depth, path])
        let conversion = try await Conversion(path)
        expectPixels(try await conversion.page(), "K_")
        #expect(try await conversion.images()[0][5] == "gray")
    }

    @Test(arguments: ["1", "8", "16"])
    func `if the photometric interpretation of a TIFF image is WhiteIsZero, the value 0 becomes white`(depth: String)
        async throws
    {
        let path = folder.path("a.tiff")
        try await run(
            "convert",
            ["-size", "20x20", "xc:black", "xc:white", "+append", "-colorspace", "Gray", "-depth", depth, path])
        try await run("tiffset", ["-s", "262", "0", path])
        expectPixels(try await Conversion(path).page(), "_K")
    }

    @Test func `a CMYK image is converted without changing the color space`() async throws {
        let path = folder.path("a.tiff")
        try await run(
            "convert",
            [
                "-size", "20x20", "xc:cyan", "xc:magenta", "xc:yellow", "xc:black", "xc:white", "+append",
                "-colorspace",
                "CMYK", path,
            ])
        let conversion = try await Conversion(path)
        #expect(try await conversion.images()[0][5] == "cmyk")
        expectPixels(try await conversion.page(), "CMY._")
    }

    @Test func `the conversion of a TIFF image with a palette keeps the palette`() async throws {
        let path = try await makeQuarters("a.tiff", in: folder, options: ["-type", "Palette"])
        let conversion = try await Conversion(path)
        #expect(try await conversion.images()[0][5] == "index")
        expectPixels(try await conversion.page(), quarters)
    }

    @Test func `a thumbnail in a TIFF file does not become a page`() async throws {
        let path = folder.path("a.tiff")
        try await run("convert", ["-size", "20x10", "xc:red", "xc:lime", path])
        try await run("tiffset", ["-d", "1", "-s", "254", "1", path])
        #expect(try await Conversion(path).document.pageCount == 1)
    }

    @Test func `the conversion of a damaged TIFF file never crashes the process`() async throws {
        var mutations = ByteMutations()
        var successes = 0
        for options in [["-compress", "lzw"], ["-compress", "jpeg"], ["-monochrome", "-compress", "Group4"]] {
            let path = try await makeQuarters("a.tiff", in: folder, options: options)
            successes += try await convertDamaged(path, times: 150, &mutations)
            try await run("tiffcp", ["-c", "zip", "-t", "-w", "16", "-l", "16", path, folder.path("b.tiff")])
            successes += try await convertDamaged(folder.path("b.tiff"), times: 50, &mutations)
        }
        #expect(successes > 0)
    }
}
