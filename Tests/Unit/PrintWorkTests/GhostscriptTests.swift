import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintWork
@testable import ProcessPools

/// Tests of PostScript documents with the real Ghostscript.
struct GhostscriptTests {
    private let place = ConverterPlace()

    private static let twoPages = """
        %!PS
        /Helvetica findfont 20 scalefont setfont
        72 700 moveto (First page) show showpage
        72 700 moveto (Second page) show showpage

        """

    private static let encapsulated = """
        %!PS-Adobe-3.0 EPSF-3.0
        %%BoundingBox: 50 650 200 750
        /Helvetica findfont 20 scalefont setfont
        72 700 moveto (Figure) show

        """

    // MARK: - Documents

    @Test func `a PostScript document becomes a PDF with its pages, text and embedded fonts`() async throws {
        _ = try await place.programs().convert(place.postScript(Self.twoPages))
        let text = try await place.text(of: "pdftotext")
        #expect(text.contains("First page") && text.contains("Second page"))
        let properties = try await place.text(of: "pdfinfo")
        #expect(properties.contains("Pages:           2"), "\(properties)")
        // The columns: name, type, encoding, emb, sub, uni.
        let fonts = try await place.text(of: "pdffonts").split(separator: "\n").dropFirst(2)
        #expect(!fonts.isEmpty && fonts.allSatisfy { $0.contains(" yes ") }, "\(fonts)")
        #expect(place.leftovers == ["converted.pdf"])
    }

    @Test func `a PostScript document has the time that its earlier attempts have not used`() async throws {
        let time = WorkTime(used: 299)
        let error = await #expect(throws: WorkError.self) {
            try await WorkTime.$current.withValue(time) {
                _ = try await place.programs().convert(place.postScript("%!\n{}loop"))
            }
        }
        #expect(error?.code == .timeExceeded)
        #expect(time.seconds < 305)
    }

    @Test func `if PostScript sets no page size, the page has the layout's page size in portrait orientation`()
        async throws
    {
        let size = Size(width: 500, height: 300)
        _ = try await place.programs().convert(place.postScript(Self.twoPages, pageSize: size))
        #expect(try await place.text(of: "pdfinfo").contains("300 x 500 pts"))
    }

    @Test func `PostScript with a page size keeps the page size`() async throws {
        let text = Self.twoPages.replacing("%!PS\n", with: "%!PS\n<</PageSize [400 600]>> setpagedevice\n")
        _ = try await place.programs().convert(place.postScript(text))
        #expect(try await place.text(of: "pdfinfo").contains("400 x 600 pts"))
    }

    @Test func `PostScript from the program pdftops is converted to a PDF`() async throws {
        _ = try await place.programs().convert(place.postScript(Self.twoPages))
        let made = try await ProgramRun(
            "/usr/bin/pdftops", ["\(place.outputs)/converted.pdf", "\(place.folder)/made.ps"],
            environment: ["PATH": "/usr/bin"], in: place.folder)
        #expect(made.code == 0)
        let document = InputDocument(path: "\(place.folder)/made.ps")
        _ = try await place.programs().convert(place.request(document, .postScript))
        #expect(try await place.text(of: "pdftotext").contains("Second page"))
    }

    @Test func `the page of an EPS file has the size of the bounding box, even without the 'showpage' operator`()
        async throws
    {
        _ = try await place.programs().convert(place.postScript(Self.encapsulated))
        #expect(try await place.text(of: "pdfinfo").contains("150 x 100 pts"))
        #expect(try await place.text(of: "pdftotext").contains("Figure"))
    }

    @Test func `an EPS file with a DOS binary header is converted`() async throws {
        let body = Array(Self.encapsulated.utf8)
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let header = [0xC5, 0xD0, 0xD3, 0xC6] + number(30) + number(body.count) + number(0) + number(0) + number(0)
        let document = try place.document(header + number(0) + [0xFF, 0xFF] + body, name: "figure.eps")
        _ = try await place.programs().convert(place.request(document, .postScript, extensions: ["eps"]))
        #expect(try await place.text(of: "pdfinfo").contains("150 x 100 pts"))
        #expect(try await place.text(of: "pdftotext").contains("Figure"))
    }

    // MARK: - Errors

    @Test func `the error for a damaged PostScript document contains Ghostscript's error message`() async throws {
        let error = await place.expectFailure(.damaged, try place.postScript("%!PS\n72 700 moveto nonsense\n"))
        #expect(error?.message.contains("Error: /undefined in nonsense") == true, "\(error?.message ?? "")")
        #expect(error?.detail?.contains("exit status 1") == true)
    }

    @Test func `PostScript without pages is refused`() async throws {
        await place.expectFailure(.noPages, try place.postScript("%!PS\n% nothing\n"))
    }

    @Test func `a PostScript document with an endless loop is stopped at the CPU time limit`()
        async throws
    {
        let error = await place.expectFailure(
            .processorTimeExceeded, try place.postScript("%!PS\n{} loop\n"), limits: WorkerLimits(processorSeconds: 1))
        #expect(error?.message.hasPrefix("Ghostscript took more than 1 s of CPU time") == true)
    }

    @Test func `a PostScript document with endless pages is stopped at the output limit`() async throws {
        let text =
            "%!PS\n{ 0 1 2000 { rand 500 mod rand 700 mod moveto rand 500 mod rand 700 mod lineto stroke pop } for "
            + "showpage } loop\n"
        let error = await place.expectFailure(
            .outputTooLarge, try place.postScript(text), limits: WorkerLimits(outputBytes: 2 << 20))
        #expect(error?.message.contains("wrote more than 2 MiB") == true, "\(error?.message ?? "")")
    }

    @Test func `a PostScript document is stopped at the message limit if it writes endless messages`() async throws {
        let error = await place.expectFailure(
            .outputTooLarge, try place.postScript("%!PS\n{ (endless ) print } loop\n"))
        #expect(error?.message.contains("wrote more than 16 MiB of messages") == true, "\(error?.message ?? "")")
    }

    @Test func `a PostScript document is stopped at the output limit if it writes many temporary files`()
        async throws
    {
        let text = """
            %!PS
            { (x) (w) .tempfile exch pop 1 1 200 { pop dup 10000 string writestring } for closefile } loop

            """
        let error = await place.expectFailure(
            .outputTooLarge, try place.postScript(text), limits: WorkerLimits(outputBytes: 8 << 20))
        #expect(error?.message.contains("wrote more than 8 MiB") == true, "\(error?.message ?? "")")
    }

    @Test func `a PostScript document is stopped at the memory limit if it uses more and more memory`() async throws {
        let text = "%!PS\n[ { 60000 string } loop\n"
        let error = await place.expectFailure(
            .memoryExceeded, try place.postScript(text), limits: WorkerLimits(memoryBytes: 256 << 20))
        #expect(error?.message.contains("256 MiB of memory") == true, "\(error?.message ?? "")")
    }

    @Test func `without Ghostscript, the error names the Debian package of Ghostscript`() {
        let error = ConverterPrograms.missingProgram(of: .postScript, at: "/nowhere/gs")
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("apt install ghostscript") == true)
        #expect(ConverterPrograms.missingProgram(of: .postScript, at: ConverterProgram.ghostscriptPath) == nil)
    }

    // MARK: - Hostile documents

    /// PostScript that prints the text of a file on the page, and continues after errors.
    private func reader(_ file: String) -> String {
        """
        %!PS
        /Helvetica findfont 20 scalefont setfont 72 700 moveto
        { (\(file)) (r) file 100 string readstring pop show } stopped
        { (refused) show } if
        showpage

        """
    }

    @Test func `a PostScript program cannot read files outside of its working directory`() async throws {
        let secret = try place.secret()
        for file in [secret, "../secret.txt", "../../secret.txt", "/etc/passwd", "/proc/self/cwd/../../secret.txt"] {
            _ = try await place.programs().convert(place.postScript(reader(file)))
            let text = try await place.text(of: "pdftotext")
            #expect(text.contains("refused"), "\(file)")
            #expect(!text.contains("canary") && !text.contains("root:"), "\(file)")
            #expect(!String(decoding: place.output, as: UTF8.self).contains("canary"))
        }
    }

    @Test(arguments: ["%pipe%/bin/cat /etc/hostname", "%pipe%id"])
    func `a PostScript program cannot run commands`(file: String) async throws {
        _ = try await place.programs().convert(place.postScript(reader(file)))
        #expect(try await place.text(of: "pdftotext").contains("refused"))
    }

    @Test func `a PostScript program cannot list folders outside of its working directory`() async throws {
        _ = try place.secret()
        let text = """
            %!PS
            /Helvetica findfont 20 scalefont setfont 72 700 moveto
            { (\(place.folder)/*) { show } 200 string filenameforall } stopped pop
            { (/tmp/*) { show } 200 string filenameforall } stopped pop
            (end) show showpage

            """
        _ = try await place.programs().convert(place.postScript(text))
        let printed = try await place.text(of: "pdftotext")
        #expect(printed.contains("end") && !printed.contains("secret") && !printed.contains("tmp"), "\(printed)")
    }

    @Test func `a PostScript program cannot write, rename or remove files outside of its working directory`()
        async throws
    {
        let secret = try place.secret()
        let text = """
            %!PS
            /Helvetica findfont 20 scalefont setfont 72 700 moveto
            { (\(place.folder)/new.txt) (w) file dup (x) writestring closefile } stopped { (w) show } if
            { (\(secret)) deletefile } stopped { (d) show } if
            { (\(secret)) (\(place.folder)/moved.txt) renamefile } stopped { (r) show } if
            showpage

            """
        _ = try await place.programs().convert(place.postScript(text))
        #expect(try await place.text(of: "pdftotext").contains("wdr"))
        #expect(FileManager.default.contents(atPath: secret) == Data("canary".utf8))
        #expect(access("\(place.folder)/new.txt", F_OK) != 0 && access("\(place.folder)/moved.txt", F_OK) != 0)
    }

    @Test
    func `the conversion of a mutated PostScript document produces a PDF or an error, and leaves no temporary files`()
        async throws
    {
        var mutations = ByteMutations()
        let limits = WorkerLimits(processorSeconds: 5, wallSeconds: 20, outputBytes: 16 << 20)
        for _ in 0..<12 {
            let bytes = mutations.mutated(Array(Self.twoPages.utf8))
            let request = place.request(try place.document(bytes), .postScript)
            do {
                _ = try await place.programs(limits).convert(request)
                #expect(place.leftovers == ["converted.pdf"])
                unlink("\(place.outputs)/converted.pdf")
            } catch {
                #expect(!error.message.isEmpty && error.code != .workerUnavailable, "\(error)")
                #expect(place.leftovers == [])
            }
        }
    }
}
