import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

struct JPEGPageTests {
    /// An image of 48 × 32 pixels.
    ///
    /// The left half is red, the lower right quarter is blue, and the upper right quarter is white.
    fileprivate static let photo = Array(
        Data(
            base64Encoded: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0
                Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy
                MjL/wAARCAAgADADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAYI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABYBAQEBAAAA
                AAAAAAAAAAAAAAcGBf/EAB4RAQAABQUAAAAAAAAAAAAAAAAFBkSCwgdCQ4HB/9oADAMBAAIRAxEAPwCLATJxGs2TGs2nDt3XqGnPguxA
                Gmh2TAEycRIK9IEvTupsyHs+U9+IATB6/9k=
                """, options: .ignoreUnknownCharacters) ?? Data())

    /// Returns the photo with an Exif orientation.
    private func photo(orientation: UInt8) -> [UInt8] {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let tiff = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
        let content = Array("Exif\0\0".utf8) + tiff
        return Self.photo.prefix(2) + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + Self.photo.dropFirst(2)
    }

    fileprivate func fixture(
        _ bytes: [UInt8], width: Double, height: Double, margin: Double = 0
    ) throws -> PrintFixture {
        var fixture = try PrintFixture(PDFBuilder(), width: width, height: height, margin: margin)
        try Data(bytes).write(to: URL(fileURLWithPath: fixture.request.document.path))
        fixture.request.document.format = .jpeg
        fixture.request.scaling = .auto
        return fixture
    }

    @Test func `a photo is scaled to the printable area and centered`() throws {
        let fixture = try fixture(Self.photo, width: 160, height: 80, margin: 10)
        let result = try fixture.rasterize()
        #expect(result.pages[0].clipped == [])
        expectPixels(
            try fixture.side(),
            """
            ________________
            ____.RRR___.____
            ____.RRR___.____
            ____.RRR___.____
            ____.RRRBBB.____
            ____.RRRBBB.____
            ____.RRRBBB.____
            ________________
            """)
    }

    @Test func `a JPEG image is printed if the request declares no format`() throws {
        var fixture = try fixture(Self.photo, width: 120, height: 80)
        fixture.request.document.format = nil
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), "RR__\nRRBB")
        expectPixels(
            try PDFDocument(path: fixture.folder.path("sheets.pdf")).render(page: 0, dpi: 72), "RR__\nRRBB")
    }

    @Test func `a landscape photo on portrait paper is rotated`() throws {
        let fixture = try fixture(Self.photo, width: 80, height: 120)
        _ = try fixture.rasterize()
        expectPixels(
            try fixture.side(),
            """
            _B
            _B
            RR
            RR
            """)
    }

    @Test(arguments: [
        (orientation: 1, picture: "RR__\nRRBB"), (2, "__RR\nBBRR"), (3, "BBRR\n__RR"), (4, "RRBB\nRR__"),
    ])
    func `a photo is rotated and mirrored according to the Exif orientation`(orientation: UInt8, picture: String) throws
    {
        let fixture = try fixture(photo(orientation: orientation), width: 120, height: 80)
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), picture)
    }

    @Test(arguments: [
        (orientation: 5, picture: "RR\nRR\n_B\n_B"), (6, "RR\nRR\nB_\nB_"), (7, "B_\nB_\nRR\nRR"),
        (8, "_B\n_B\nRR\nRR"),
    ])
    func `a photo with a sideways Exif orientation is printed upright`(orientation: UInt8, picture: String) throws {
        let fixture = try fixture(photo(orientation: orientation), width: 80, height: 120)
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), picture)
    }

    /// Returns the photo with a density in pixels per inch or per centimeter.
    private func photo(density: UInt8, unit: UInt8 = 1) -> [UInt8] {
        var bytes = Self.photo
        bytes[13] = unit
        (bytes[15], bytes[17]) = (density, density)
        return bytes
    }

    @Test func `a photo is printed at its declared size if this size is smaller than the paper`() throws {
        // 48 × 32 pixels at 72 dpi have a third of the paper's width and height.
        let small = try fixture(photo(density: 72), width: 144, height: 96)
        _ = try small.rasterize()
        expectPixels(
            try small.side(),
            """
            ____________
            ____________
            ____________
            ____RR______
            ____RR______
            ____RRBB____
            ____RRBB____
            ____________
            ____________
            ____________
            """)
        // 10 pixels per centimeter are 25.4 pixels per inch, so the photo has 136 × 91 points.
        let large = try fixture(photo(density: 10, unit: 2), width: 120, height: 80)
        #expect(try large.rasterize().pages[0].clipped == [])
        expectPixels(try large.side(), "RR__\nRRBB")
    }

    @Test func `with orientation 'reverse-portrait', a photo is scaled to the area inside asymmetric margins`() throws {
        var fixture = try fixture(Self.photo, width: 120, height: 80)
        fixture.request.paper.margins = Margins(
            top: .zero, left: .zero, bottom: .points(40), right: .points(60))
        fixture.request.orientation = .reversePortrait
        #expect(try fixture.rasterize().pages[0].clipped == [])
        expectPixels(try fixture.side(), "BR__\n_R__\n____\n____")
    }

    @Test func `if a JPEG file is truncated before the image data, the error code is 'damaged'`() throws {
        for count in 3..<160 {
            let fixture = try fixture(Array(Self.photo.prefix(count)), width: 120, height: 80)
            let error = #expect(throws: WorkError.self) { try fixture.rasterize() }
            #expect(error?.code == .damaged)
        }
    }
}

extension JPEGPageTests {
    @Test(arguments: [
        (Orientation.portrait, "RRR___\nRRRBBB"), (.landscape, "_B\nRR"), (.reversePortrait, "BBBRRR\n___RRR"),
        (.reverseLandscape, "RR\nB_"),
    ])
    func `a photo is printed in the requested orientation`(orientation: Orientation, expected: String) throws {
        let isTurned = orientation == .landscape || orientation == .reverseLandscape
        var fixture = try fixture(Self.photo, width: isTurned ? 80 : 120, height: isTurned ? 120 : 80)
        fixture.request.orientation = orientation
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), expected)
    }
}

/// Tests of incomplete and damaged JPEG images.
extension JPEGPageTests {
    /// The offset of the photo's image data.
    ///
    /// The data ends 2 bytes before the end of the file.
    private static let dataOffset = 293

    @Test func `the valid part of a truncated JPEG image is printed, and a notice names the image`() throws {
        // The file has the data of four blocks of 16 × 16 pixels. The decoder leaves the rest gray.
        var fixture = try fixture(Array(Self.photo.prefix(Self.dataOffset + 26)), width: 120, height: 80)
        fixture.request.document.name = "Holiday.jpg"
        let result = try fixture.rasterize()
        #expect(
            result.notices == [
                "the JPEG image 'Holiday.jpg' ends too early or is damaged, so a part of the image is missing or wrong"
                    + " (Premature end of JPEG file)"
            ])
        expectPixels(try fixture.side(), "RRR___\nRRAAAA")
    }

    @Test func `a truncated JPEG image is rejected if the job requires fidelity`() throws {
        var fixture = try fixture(Array(Self.photo.prefix(Self.dataOffset + 26)), width: 120, height: 80)
        fixture.request.requiresFidelity = true
        let error = #expect(throws: WorkError.self) { try fixture.rasterize() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("the job requires fidelity") == true, "\(error?.message ?? "")")
    }

    @Test func `a JPEG image with damaged bytes is printed with a notice`() throws {
        var bytes = Self.photo
        for offset in Self.dataOffset + 10..<Self.dataOffset + 24 { bytes[offset] = 0x55 }
        let fixture = try fixture(bytes, width: 120, height: 80)
        #expect(try fixture.rasterize().notices.count == 1)
    }

    @Test func `a JPEG file with a header but no data cannot be decoded`() throws {
        // The first file has 23 bytes: start, a frame of 48 × 32 pixels with three components, and end.
        let frame: [UInt8] = [0xFF, 0xC0, 0, 17, 8, 0, 32, 0, 48, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        for bytes in [[0xFF, 0xD8] + frame + [0xFF, 0xD9], Array(Self.photo.prefix(Self.dataOffset))] {
            var fixture = try fixture(bytes, width: 120, height: 80)
            fixture.request.document.name = "Holiday.jpg"
            let error = #expect(throws: WorkError.self, "\(bytes.count) bytes") { try fixture.rasterize() }
            #expect(error?.code == .damaged)
            #expect(
                error?.message == "the JPEG image 'Holiday.jpg' cannot be decoded; check that the image opens in"
                    + " another viewer, and send the image again")
        }
    }

    @Test
    func `a complete JPEG image causes no notice, even if the end marker is missing or is followed by more bytes`()
        throws
    {
        for bytes in [Self.photo, Array(Self.photo.dropLast(2)), Self.photo + [0, 0, 0, 0]] {
            var fixture = try fixture(bytes, width: 120, height: 80)
            fixture.request.requiresFidelity = true
            #expect(try fixture.rasterize().notices == [])
            expectPixels(try fixture.side(), "RR__\nRRBB")
        }
    }
}
