import FoundationEssentials
import PDFRendering
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of fonts from files and data.
struct FontRegistrationTests {
    /// Returns an installed font with a new name in place of `DejaVu`.
    ///
    /// - Parameter name: A name of six characters.
    private func font(named name: String) async throws -> Data {
        let path = try await run("fc-match", "--format=%{file}", "DejaVu Serif:style=Book")
        var data = try Data(contentsOf: URL(filePath: path))
        func encode(_ text: String, wide: Bool) -> [UInt8] { text.utf8.flatMap { wide ? [0, $0] : [$0] } }
        for wide in [false, true] {
            let (old, new) = (encode("DejaVu", wide: wide), encode(name, wide: wide))
            var start = data.startIndex
            while let found = data[start...].firstRange(of: old) {
                data.replaceSubrange(found, with: new)
                start = found.upperBound
            }
        }
        return data
    }

    @Test func `a font that is registered from data is used by its names and embedded in PDFs`() async throws {
        let name = "Mimosa Serif"
        #expect(Font(name: name, size: 12).substitution?.requested == name)
        let before = TextLine(AttributedString("before"))
        let names = try Font.register(data: try await font(named: "Mimosa"))
        #expect(names == ["MimosaSerif"])
        let font = Font(name: name, size: 20)
        #expect(font.substitution == nil && font.resolvedFamily == name)
        #expect(Font(name: names[0], size: 20).resolvedFamily == name)
        let folder = try TemporaryFolder()
        try PDFContext.write(to: folder.path("a.pdf")) { pdf in
            pdf.beginPage()
            "Embedded €".draw(at: Point(x: 20, y: 20), with: font)
            before.draw(at: Point(x: 20, y: 100))
            #expect(pdf.fontSubstitutions.isEmpty)
        }
        let told = try await run("pdffonts", folder.path("a.pdf"))
        #expect(told.contains("+MimosaSerif") && !told.contains(" no "))
        #expect(try PDFFile(path: folder.path("a.pdf")).text()[0].contains("Embedded €"))
    }

    @Test func `a font that is registered from a file is used after the file is removed`() async throws {
        let folder = try TemporaryFolder()
        let url = URL(filePath: folder.path("font.ttf"))
        try await font(named: "Zinnia").write(to: url)
        let names = try Font.register(contentsOf: url)
        #expect(try Font.register(contentsOf: url) == names)
        try FileManager.default.removeItem(at: url)
        let page = try PDFContext.data { pdf in
            pdf.beginPage()
            "gone".draw(at: .zero, with: Font(name: names[0], size: 20))
        }
        #expect(try PDFFile(data: page).text()[0].contains("gone"))
        expectFailure(.unreadable) { try Font.register(contentsOf: url) }
    }

    @Test func `data in another format and damaged fonts cause errors and are not registered`() async throws {
        let whole = try await font(named: "Wraith")
        expectFailure(.unsupportedFormat) { try Font.register(data: Data()) }
        expectFailure(.unsupportedFormat) { try Font.register(data: Data("%!PS-AdobeFont-1.0: Wraith".utf8)) }
        for count in [20, 200, 1000, whole.count / 2, whole.count - 5] {
            expectFailure(.damaged) { try Font.register(data: whole.prefix(count)) }
        }
        #expect(Font(name: "Wraith Serif", size: 12).substitution != nil)
    }

    @Test func `fonts can be registered while other tasks lay out text`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<20 {
                        let text = "words \(task) \(round) שלום 日本語"
                        let line = TextLine(AttributedString(text))
                        #expect(line.width > 0)
                        let data = try PDFContext.data { pdf in
                            pdf.beginPage()
                            line.draw(at: Point(x: 10, y: 30))
                            text.draw(at: Point(x: 10, y: 60), with: .system(ofSize: Double(6 + round)))
                        }
                        #expect(try PDFFile(data: data).pageCount == 1)
                    }
                }
            }
            for name in ["Acacia", "Bamboo", "Clover", "Dahlia"] {
                let data = try await font(named: name)
                group.addTask {
                    try Font.register(data: data)
                    #expect(Font(name: "\(name) Serif", size: 12).substitution == nil)
                }
            }
            try await group.waitForAll()
        }
    }
}
