import FoundationEssentials
import PrintKit
import PrintRaster
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests that run the guide's listings and the example programs, and check the printed pages.
struct PrintKitExampleTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ program: String, _ arguments: String...) async throws -> String {
        let run = try await ProgramRun(
            Programs.beside(program), arguments, environment: ["SWIFT_BACKTRACE": "enable=no", "LANG": "de_DE.UTF-8"],
            in: folder.path)
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
        return run.output
    }

    private func pages(_ name: String) throws -> PrintedPages { try PrintedPages(folder.path(name)) }

    /// Returns the bounding box of the ink in a part of a page, in points.
    ///
    /// The page is rendered at 360 dpi.
    private func ink(_ pages: PrintedPages, page: Int, within area: Rect) throws -> Rect? {
        PageSheet(bitmap: try pages.document.render(page: page, dpi: 360)).ink(within: area, dpi: 360)
    }

    @Test func `an example tool bar shows the print button if printing is available`() async throws {
        #expect(try await run("PrintingExamples", "print-button", folder.path) == "Open Print Share\n")
    }

    @Test func `an example print job is named after the printed file`() async throws {
        _ = try await run("PrintingExamples", "print-info", folder.path)
        #expect(try pages("Minutes of May.txt.pdf").text(0).contains("The minutes of May."))
    }

    @Test func `an example program prints a wide image in landscape orientation`() async throws {
        _ = try await run("PrintingExamples", "wide-image", folder.path)
        let sheet = try pages("Wide image.pdf").sheet(0)
        #expect(sheet.width == 420 && sheet.height == 298, "A6, landscape")
        expectPixels(sheet, "______________\nBBBBB.........\nBBBB..........\nBBB...........\n______________")
    }

    @Test func `an example program chooses the paper that matches the document's page size`() async throws {
        _ = try await run("PrintingExamples", "paper-of-document", folder.path)
        let size = try pages("On A5.pdf").document.pageSize(at: 0)
        #expect(Size(width: size.width, height: size.height).isNearly(Media.a5.size))
    }

    @Test func `an example program logs an error with the error domain and code`() async throws {
        let output = try await run("PrintingExamples", "log-errors", folder.path)
        #expect(output == "FAILED! due to error in domain PrintErrorDomain with code 3\n")
    }

    @Test(arguments: [80, 60])
    func
        `Enter prints and Escape cancels, in a popover on wide terminals and in a sheet on narrow terminals`(
            columns: Int
        ) async throws
    {
        let canceled = try await present("present", keys: "\u{1B}", columns: columns)
        #expect(canceled.said == "canceled\n")
        // A popover has a frame, and a sheet has no frame.
        #expect(canceled.shown.contains("┌") == (columns == 80), "\(canceled.shown)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("Presented.pdf")))
        #expect(try await present("present", keys: "\r", columns: columns).said == "printed\n")
        #expect(try pages("Presented.pdf").text(0).contains("Presented, then printed."))
    }

    @Test(arguments: ["present", "page-range", "web-view", "html"])
    func `if options are requested without a terminal, the completion handler or the program reports the error`(
        name: String
    ) async throws {
        let run = try await ProgramRun(
            "/usr/bin/setsid", ["-w", Programs.beside("PrintingExamples"), name, folder.path],
            environment: ["SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"], in: folder.path)
        if name == "html" {
            expect(run, complains: "PrintingExamples: cannot show printer options because there is no terminal")
        } else {
            #expect(run.output == "FAILED! due to error in domain PrintErrorDomain with code 1\n")
        }
    }

    @Test func `an unwritable file, an invalid photo and an invalid command line each cause a one-line error message`()
        async throws
    {
        func complaint(_ program: String, _ arguments: String...) async throws -> ProgramRun {
            try await ProgramRun(
                Programs.beside(program), arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], in: folder.path)
        }
        expect(
            try await complaint("Invoice", "/nonexistent/x.pdf"),
            complains: "Invoice: cannot write '/nonexistent/x.pdf'; check its folder and the free space")
        expect(try await complaint("PhotoSheet", "p.pdf", "none.jpg"), complains: "PhotoSheet: ", about: "none.jpg")
        #expect(!FileManager.default.fileExists(atPath: folder.path("p.pdf")))
        for arguments in [[], ["--printer"], ["--help"]] as [[String]] {
            let run = try await ProgramRun(
                Programs.beside("LabelRoll"), arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], in: folder.path)
            expect(run, code: 64, complains: "usage: LabelRoll (OUTPUT | --printer PRINTER)")
        }
    }

    /// Expects one line on standard error, an empty standard output, and an exit code.
    private func expect(_ run: ProgramRun, code: Int32 = 1, complains words: String, about name: String = "") {
        #expect(run.code == code && run.output.isEmpty)
        #expect(run.complaints.hasPrefix(words) && (name.isEmpty || run.complaints.contains(name)), "\(run.complaints)")
        #expect(run.complaints.hasSuffix("\n") && run.complaints.count { $0 == "\n" } == 1, "\(run.complaints)")
    }

    @Test func `an example program prints a page range of a PDF, and its delegate is told about the job`() async throws
    {
        #expect(try await present("page-range", keys: "\u{1B}[B2-3\r").said == "The job starts.\nprinted\n")
        let sheets = try pages("Five sheets.pdf")
        #expect(sheets.count == 2)
        #expect(try sheets.text(0).contains("Sheet 2") && sheets.text(1).contains("Sheet 3"))
    }

    @Test func `an example program prints three images into separate files, on paper with the image's orientation`()
        async throws
    {
        _ = try await run("PrintingExamples", "several-images", folder.path)
        let (wide, high) = (try pages("Holiday.pdf").sheet(0), try pages("Holiday 2.pdf").sheet(0))
        let third = try pages("Holiday 3.pdf").sheet(0)
        #expect(third.width == 420 && third.rgb(x: 2, y: 2).blue > 250 && third.rgb(x: 2, y: 2).red < 20)
        #expect(wide.width == 420 && high.width == 298)
        // Photos are printed borderless if possible.
        #expect(wide.rgb(x: 2, y: 2).red > 250 && wide.rgb(x: 2, y: 2).green < 20)
        #expect(high.rgb(x: 2, y: 2).green > 250 && high.rgb(x: 2, y: 2).red < 20)
    }

    @Test func `in an example, the title is centered, and the page number ends one point before the right margin`()
        async throws
    {
        _ = try await run("PrintingExamples", "header-and-footer", folder.path)
        let printed = try pages("On Paper.pdf")
        #expect(printed.count == 3)
        // The printable area of A4 with margins of a quarter inch has 559.28 × 805.89 points, from (18, 18).
        let printable = Rect(x: 18, y: 18, width: 559.28, height: 805.89)
        let font = Font(name: "Helvetica", size: 12)
        for (page, number) in ["1.", "3."].enumerated() {
            let title = try #require(
                try ink(printed, page: page * 2, within: Rect(x: 200, y: 20, width: 200, height: 40)))
            #expect(abs(title.midX - printable.maxX / 2) < 0.5, "\(title)")
            // The line ends at the bottom of the header. The baseline is one descender above the end of the line.
            let foot = 54 - "On Paper".size(with: font).height + font.ascender
            #expect(abs(title.maxY - (foot + 2.6)) < 1, "\(title), baseline \(foot)")
            let folio = try #require(
                try ink(printed, page: page * 2, within: Rect(x: 540, y: 790, width: 50, height: 45)))
            // At this size, Helvetica has 1.1 points of space to the right of a period.
            #expect(folio.maxX < printable.maxX - 1 && folio.maxX > printable.maxX - 2.3, "\(folio)")
            #expect(try printed.text(page * 2).contains(number))
        }
    }

    @Test func `in the example of a header and a footer, the content has the same insets on every page`() async throws {
        _ = try await run("PrintingExamples", "header-and-footer", folder.path)
        let printed = try pages("On Paper.pdf")
        for page in 0..<3 {
            let text = try #require(try ink(printed, page: page, within: Rect(x: 40, y: 60, width: 45, height: 40)))
            // The text begins one inch from the left edge. The letter L has 0.9 points of space on its left side.
            #expect(text.minX > 72 && text.minX < 73.2, "\(text)")
            #expect(text.minY >= 72 && text.minY < 75.5, "\(text)")
        }
        // The last line of the first page is above the bottom inset. The page number is outside of the checked area.
        #expect(try ink(printed, page: 0, within: Rect(x: 40, y: 842 - 72, width: 100, height: 60)) == nil)
    }

    @Test(arguments: [
        ("en_US.UTF-8", Media.letter, Media.photo4x6), ("de_DE.UTF-8", .a4, .a6), ("C", .a4, .a6),
    ])
    func `the default paper depends on the locale of the program`(locale: String, general: Media, photo: Media)
        async throws
    {
        for (program, arguments) in [("Invoice", ["invoice.pdf"]), ("PrintingExamples", ["wide-image", folder.path])] {
            let run = try await ProgramRun(
                Programs.beside(program), arguments, environment: ["SWIFT_BACKTRACE": "enable=no", "LANG": locale],
                in: folder.path)
            #expect(run.code == 0, "\(run.complaints)")
        }
        for (name, media) in [("invoice.pdf", general), ("Wide image.pdf", photo)] {
            let size = try pages(name).document.pageSize(at: 0)
            let upright = Size(width: min(size.width, size.height), height: max(size.width, size.height))
            #expect(upright.isNearly(media.size), "\(name): \(size)")
        }
    }

    @Test func `an invoice has a header on every page, each item once, and the totals at the end`() async throws {
        _ = try await run("Invoice", folder.path("invoice.pdf"))
        let printed = try pages("invoice.pdf")
        #expect(printed.count == 3)
        let texts = try (0..<3).map { try printed.text($0) }
        for (page, text) in texts.enumerated() {
            #expect(text.contains("Paper & Sons") && text.contains("Invoice 2024-0117"))
            #expect(text.contains("Page \(page + 1) of 3") && text.contains("IBAN"))
        }
        let lots = texts.joined(separator: "\n").matches(of: /lot (\d+)/).compactMap { Int($0.1) }
        // Poppler joins the cells of a row: the lot, the quantity, and the price up to its decimal point.
        let rows = (1...53).map { Int("\($0)\($0 % 4 + 1)\((450 + 135 * ($0 % 7)) / 100)") }
        // The last row is the only row of its page, so poppler does not join the cells.
        #expect(lots == rows + [54])
        #expect(texts[0].contains("Ada Example") && !texts[1].contains("Ada Example"))
        // The totals of 54 items: the sum of quantity × price, and 19 percent tax.
        let net = (1...54).reduce(0) { $0 + ($1 % 4 + 1) * (450 + 135 * ($1 % 7)) }
        let gross = net + (net * 19 + 50) / 100
        #expect(!texts[1].contains("Total") && texts[2].contains("Total"))
        #expect(texts[2].contains("\(gross / 100).\(gross % 100 < 10 ? "0" : "")\(gross % 100)"))
    }

    @Test func `a photo sheet has six photos with file names on each page`() async throws {
        _ = try await run("PhotoSheet", folder.path("sheet.pdf"))
        let printed = try pages("sheet.pdf")
        #expect(printed.count == 2)
        for number in 1...8 { #expect(try printed.text(number / 7).contains("Sunset \(number)")) }
        expectPixels(
            try printed.sheet(1),
            "__________________\n" + String(repeating: "..................\n", count: 6)
                + String(repeating: "__________________\n", count: 11))
        // The program also prints photos from file names on the command line.
        let photo = folder.path("green.png")
        try square(.green).writePNG(to: photo)
        _ = try await run("PhotoSheet", folder.path("own.pdf"), photo)
        let own = try pages("own.pdf")
        #expect(try own.count == 1 && own.text(0).contains("green.png"))
        let middle = try own.sheet(0).rgb(x: 160, y: 150)
        #expect(middle.green > 240 && middle.red < 20)
    }

    private func square(_ color: Color) throws -> Image {
        let bitmap = try BitmapContext(size: Size(width: 100, height: 100), isOpaque: true)
        bitmap.fillColor = color
        bitmap.fill(Rect(x: 0, y: 0, width: 100, height: 100))
        return try bitmap.makeImage()
    }

    @Test func `a label roll is cut to the length of the longest label`() async throws {
        _ = try await run("LabelRoll", folder.path("labels.pdf"))
        let printed = try pages("labels.pdf")
        #expect(printed.count == 3)
        for page in 0..<3 {
            let size = try printed.document.pageSize(at: page)
            #expect(abs(size.width - 175.75) < 0.1 && abs(size.height - 112) < 0.1, "\(size)")
        }
        #expect(try printed.text(2).contains("Hinges") && printed.text(2).contains("with screws"))
        // The frame is 10 points inside the label and one point wide. The text is inside the frame.
        let frame = try #require(try ink(printed, page: 2, within: Rect(x: 0, y: 0, width: 175, height: 112)))
        #expect(isNear(frame, Rect(x: 9.5, y: 9.5, width: 156.75, height: 93), tolerance: 0.3), "\(frame)")
    }

    @Test func `the layout example draws the picture that the documentation shows`() async throws {
        _ = try await run("PrintingPictures", folder.path)
        let picture = try Bitmap(readingPNG: folder.path("layout@2x.png"))
        #expect(picture.width == 1280 && picture.height == 800)
        // The formatter covers the middle of the first page. On the second page, the formatter begins higher.
        #expect(picture[320, 480] == .init(red: 209, green: 240, blue: 204))
        #expect(picture[320, 230] != picture[950, 230])
    }

    @Test func `only a program that is linked with PrintKitTerminal contains the forms of the terminal`() throws {
        // The modules in the names of symbols, with the length of their names.
        for module in ["16PrintKitTerminal", "19DocumentInteraction"] {
            for (program, isLinked) in [("PrintingExamples", true), ("PrintingPictures", false)] {
                let code = try Data(contentsOf: URL(filePath: Programs.beside(program)))
                #expect((code.firstRange(of: Data(module.utf8)) != nil) == isLinked, "\(program), \(module)")
            }
        }
    }

    /// Runs a listing on a separate terminal and presses keys when the options are shown.
    ///
    /// - Returns: The output of the program, and the contents of the screen.
    private func present(_ name: String, keys: String, columns: Int = 60) async throws -> (said: String, shown: String)
    {
        let terminal = try PseudoTerminal(columns: columns)
        async let output = ProgramRun(
            "/bin/sh",
            terminal.shellArguments(running: Programs.beside("PrintingExamples"), [name, folder.path]),
            // The output of the terminal comes before the output of the program.
            environment: ["SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin", "COLUMNS": "\(140 - columns)"],
            in: folder.path)
        let shown = try await terminal.read(until: "Escape cancels")
        terminal.write(keys)
        let run = try await output
        #expect(run.code == 0, "\(run.complaints)")
        return (run.output, shown)
    }
}
