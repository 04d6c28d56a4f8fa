import FoundationEssentials
import PDFRendering
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of the color spaces in PDFs.
struct ColorSpaceTests {
    let folder: TemporaryFolder
    private let bounds = Rect(x: 0, y: 0, width: 100, height: 100)

    init() throws { folder = try TemporaryFolder() }

    /// Returns the operators and their operands, one line each, of all content streams of a document.
    private func operators(
        _ info: DocumentInfo = DocumentInfo(), _ draw: (PDFContext) throws -> Void
    ) async throws -> (lines: [String], document: String) {
        let path = folder.path("\(UUID().uuidString).pdf")
        try PDFContext.write(to: path, bounds: bounds, info: info) { pdf in
            pdf.beginPage()
            try draw(pdf)
        }
        let text = try await run("qpdf", "--qdf", "--object-streams=disable", path, "-")
        let colors = text.split(separator: "\n").map(String.init).flatMap { line -> [String] in
            var (found, operands) = ([String](), [Substring]())
            for word in line.split(separator: " ") {
                if Double(word) != nil {
                    operands.append(word)
                } else {
                    if ["rg", "RG", "g", "G", "k", "K"].contains(word) {
                        found.append((operands + [word]).joined(separator: " "))
                    }
                    operands = []
                }
            }
            return found
        }
        return (colors, text)
    }

    private let orange = Color(cyan: 0, magenta: 0.5, yellow: 1, black: 0.125)

    @Test func `CMYK colors of fills, lines, text and patterns keep their amounts of ink in a PDF`() async throws {
        let text = {
            var text = AttributedString("ink")
            text.textColor = Color(cyan: 1, magenta: 0.25, yellow: 0, black: 0)
            return text
        }()
        let pattern = Pattern(cell: Size(width: 10, height: 10)) { context in
            context.fillColor = Color(cyan: 0, magenta: 1, yellow: 0.75, black: 0)
            context.fill(Rect(x: 0, y: 0, width: 5, height: 5))
        }
        let (colors, document) = try await operators { pdf in
            pdf.fillColor = orange
            pdf.fill(Rect(x: 0, y: 0, width: 10, height: 10))
            pdf.strokeColor = Color(cyan: 0.1, magenta: 0.2, yellow: 0.3, black: 0.4)
            pdf.stroke(Rect(x: 20, y: 0, width: 10, height: 10))
            text.draw(at: Point(x: 0, y: 20))
            pattern.setFill()
            pdf.fill(Rect(x: 0, y: 50, width: 40, height: 40))
            pdf.fillColor = Color(red: 1, green: 0.5, blue: 0)
            pdf.fill(Rect(x: 50, y: 50, width: 4, height: 4))
        }
        #expect(
            Set(colors) == [
                "0 0.5 1 0.125 k", "0.1 0.2 0.3 0.4 K", "1 0.25 0 0 k", "0 1 0.75 0 k", "1 0.5 0 rg",
            ])
        #expect(!document.contains("/Group"))
    }

    @Test func `CMYK colors with the same RGB color stay different`() async throws {
        let inks = [[1, 1, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1], [0.5, 0, 0, 1], [0, 0.5, 0, 1]]
        let (colors, _) = try await operators { pdf in
            for (index, ink) in inks.enumerated() {
                pdf.fillColor = Color(cyan: ink[0], magenta: ink[1], yellow: ink[2], black: ink[3])
                pdf.fill(Rect(x: Double(index) * 10, y: 0, width: 10, height: 10))
            }
        }
        #expect(colors == ["1 1 1 0 k", "0 0 0 1 k", "1 1 1 1 k", "0.5 0 0 1 k", "0 0.5 0 1 k"])
    }

    @Test func `an RGB color that is equal to the marker of a CMYK color stays RGB`() async throws {
        let marker = 129.0 / 65535
        let (colors, _) = try await operators { pdf in
            for color in [
                Color(cyan: 1, magenta: 1, yellow: 1, black: 1), Color(red: marker, green: marker, blue: marker),
            ] {
                pdf.fillColor = color
                pdf.fill(Rect(x: 0, y: 0, width: 10, height: 10))
            }
        }
        #expect(colors.first == "1 1 1 1 k")
        #expect(colors.count == 2 && colors.last?.hasSuffix(" g") == true)
    }

    @Test func `a color of an ICC profile keeps its components and its profile, also in PDF/A`() async throws {
        var bytes = Array(ICCProfile.sRGB.data)
        bytes.replaceSubrange(16..<20, with: Array("CMYK".utf8))
        let press = try ICCProfile(data: Data(bytes), name: "press")
        let brand = Color(
            profile: press, components: [0.9, 0.7, 0, 0.1], alternate: Color(red: 0, green: 0.2, blue: 0.6))
        let exact = Color(profile: .sRGB, components: [0.25, 0.5, 0.75], alternate: .red)
        let text = {
            var text = AttributedString("ink")
            text.textColor = exact
            return text
        }()
        for conformance in [nil, PDFConformance.pdfA2b] {
            let (colors, document) = try await operators(DocumentInfo(conformance: conformance)) { pdf in
                pdf.fillColor = brand
                pdf.fill(bounds)
                pdf.strokeColor = brand
                pdf.stroke(bounds)
                text.draw(at: .zero)
                pdf.fillColor = Color(cyan: 1, magenta: 0, yellow: 0, black: 0)
                pdf.fill(Rect(x: 60, y: 60, width: 10, height: 10))
            }
            #expect(colors == [conformance == nil ? "1 0 0 0 k" : "0 1 1 rg"])
            let contents = document.split(separator: "\n").map(String.init).filter { $0.contains("Profile") }
                .joined(separator: "\n")
            #expect(contents.contains(#/\/Profile\d+ cs 0.9 0.7 0 0.1 sc/#))
            #expect(contents.contains(#/\/Profile\d+ CS 0.9 0.7 0 0.1 SC/#))
            #expect(contents.contains(#/\/Profile\d+ cs 0.25 0.5 0.75 sc/#))
            #expect(document.contains("/ICCBased"))
        }
        let image = try bitmap(2, 2) { context in
            context.fillColor = brand
            context.fill(Rect(x: 0, y: 0, width: 2, height: 2))
        }
        #expect(image[0, 0] == Image.Pixel(red: 0, green: 51, blue: 153))
    }

    @Test func `a CMYK color keeps its alpha, and the page keeps its group`() async throws {
        let (colors, document) = try await operators { pdf in
            pdf.fillColor = orange.withAlpha(0.5)
            pdf.fill(bounds)
        }
        #expect(colors == ["0 0.5 1 0.125 k"])
        #expect(document.contains("/ca 0.5") && document.contains("/Group"))
    }

    @Test func `grays are written as gray in a document with CMYK colors, or if 'writesGray' is set`() async throws {
        func draw(_ pdf: PDFContext) {
            "black".draw(at: .zero, with: .system(ofSize: 12))
            pdf.strokeColor = Color(white: 0.5)
            pdf.stroke(Rect(x: 20, y: 0, width: 10, height: 10))
            pdf.fillColor = .red
            pdf.fill(Rect(x: 40, y: 0, width: 10, height: 10))
        }
        let plain = try await operators { draw($0) }.lines
        #expect(plain == ["0 0 0 rg", "0.5 0.5 0.5 RG", "1 0 0 rg"])
        var info = DocumentInfo()
        info.writesGray = true
        #expect(try await operators(info) { draw($0) }.lines == ["0 g", "0.5 G", "1 0 0 rg"])
        let mixed = try await operators { pdf in
            draw(pdf)
            pdf.fillColor = orange
            pdf.fill(Rect(x: 0, y: 40, width: 10, height: 10))
        }.lines
        #expect(mixed == ["0 g", "0.5 G", "1 0 0 rg", "0 0.5 1 0.125 k"])
    }

    @Test func `a bitmap and a PDF/A document show the RGB color of a CMYK color`() async throws {
        let image = try bitmap(2, 2) { context in
            context.fillColor = orange
            context.fill(Rect(x: 0, y: 0, width: 2, height: 2))
        }
        #expect(image[0, 0] == Image.Pixel(red: 223, green: 112, blue: 0))
        let (colors, _) = try await operators(DocumentInfo(conformance: .pdfA2b)) { pdf in
            pdf.fillColor = orange
            pdf.fill(bounds)
        }
        #expect(colors == ["0.875 0.4375 0 rg"])
    }

    @Test func `the sRGB profile is complete, and other data is no profile`() throws {
        let sRGB = ICCProfile.sRGB
        #expect(try ICCProfile(data: sRGB.data, name: "copy").componentCount == 3)
        // The tag table is in the order of the data, and the parts fill the profile.
        let bytes = Array(sRGB.data)
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        #expect(number(0) == bytes.count && number(128) == 9)
        let tags = (0..<9).map { (start: number(132 + 12 * $0 + 4), count: number(132 + 12 * $0 + 8)) }
        for (tag, next) in zip(tags, tags.dropFirst()) {
            #expect(tag.start == next.start || tag.start + tag.count <= next.start)
        }
        #expect(tags.allSatisfy { $0.start % 4 == 0 && $0.start + $0.count <= bytes.count })
        expectFailure(.damaged) { _ = try ICCProfile(data: sRGB.data.dropLast(4), name: "short") }
        expectFailure(.damaged) { _ = try ICCProfile(data: Data("text".utf8), name: "text") }
        var other = bytes
        other.replaceSubrange(16..<20, with: Array("HSV ".utf8))
        expectFailure(.unsupportedFormat) { _ = try ICCProfile(data: Data(other), name: "HSV") }
    }
}
