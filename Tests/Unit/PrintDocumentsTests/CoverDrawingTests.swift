// Tests the pages of cover sheets.

import FoundationEssentials
import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

struct CoverDrawingTests {
    private let text = CoverText(
        title: "年次報告書 التقرير السنوي वार्षिक रिपोर्ट", job: 1234, user: "花子", host: "desk-7", printer: "Büro",
        date: 1_700_000_000 - 36_000)

    /// Prepares a document of three pages, and returns the words of each side.
    private func sides(
        _ text: CoverText? = nil, paper: (width: Double, height: Double) = (595, 842),
        _ change: (inout Imposition) -> Void = { _ in }
    ) async throws -> [[String]] {
        let sheets = try await PreparedSheets(
            files: [PDFBuilder.numbered(pages: 3).bytes], paper: paper, margin: 12,
            cover: text ?? self.text
        ) {
            $0.coverSheets = CoverSheets(start: .standard, end: .topSecret)
            change(&$0)
        }
        return try (1...sheets.result.impressions).map { side in
            try run("pdftotext", "-f", "\(side)", "-l", "\(side)", sheets.path, "-").output
                .split(whereSeparator: \.isWhitespace).map(String.init)
        }
    }

    @Test func `cover sheets show title, number, user, computer, printer and counts, in any script`() async throws {
        let sides = try await sides { $0.copies = 2 }
        #expect(sides.count == 8)
        for word in [
            "年次報告書", "التقرير", "वार्षिक", "Job", "1234", "User", "花子", "Computer", "desk-7", "Printer", "Büro",
            "Submitted", "2023-11-14", "Pages", "3", "Copies", "2", "Sheets", "8",
        ] {
            // pdftotext does not separate words of different scripts.
            #expect(sides[0].joined(separator: " ").contains(word), "\(word): \(sides[0])")
            #expect(sides[7].joined(separator: " ").contains(word), "\(word): \(sides[7])")
        }
        #expect(!sides[0].contains("Secret"))
        #expect(sides[7].count { $0 == "Secret" } == 2, "at the upper and at the lower edge")
        #expect(sides[1...6].allSatisfy { !$0.contains("1234") })
    }

    @Test func `cover sheets are not numbered and have no header, border or watermark`() async throws {
        let sides = try await sides {
            $0.numberUp = NumberUp(count: 2, border: .double)
            $0.texts = PageTexts(
                pageNumbers: .bottomCenter, pageNumberFormat: .numberOfTotal, watermark: "Draft",
                header: "{page} of {pages}")
        }
        #expect(sides.count == 4)
        #expect(sides[0].contains("1234") && !sides[0].contains("of"))
        // pdftotext separates the letters of a watermark.
        #expect(!sides[0].contains("f") && sides[1].contains("f"), "\(sides[0])")
        #expect(sides[1].joined().contains("1of2") && sides[1].joined().contains("1/2"), "\(sides[1])")
    }

    @Test func `cover sheets fit on labels, and without texts they show the counts`() async throws {
        let small = try await sides(paper: (175, 82))
        #expect(small[0].contains("1234") && small[0].contains("Job"))
        #expect(try await sides(CoverText())[0] == ["Pages", "3", "Sheets", "5"])
    }

    @Test func `a long title and many lines stay on the sheet`() async throws {
        let long = CoverText(title: String(repeating: "word ", count: 400), job: 5, user: "ann")
        let first = try await sides(long)[0]
        #expect(first.contains("ann") && first.contains("Sheets"))
        #expect(first.count { $0 == "word" } < 400)
    }
}
