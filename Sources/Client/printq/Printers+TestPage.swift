// The command `printq printers test-page`.

import ArgumentParser
import FoundationEssentials
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient
import ProcessLaunch

extension Printers {
    struct TestPage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test-page",
            abstract: "Print a test page: rulers, grays, colors, fine lines, fonts.",
            discussion: """
                The page is drawn for the printer's default paper. The frame shows the printable area that the printer \
                reports. The scales begin at the edges of the paper, so the first visible mark is the real margin.
                """)
        @Argument(help: "The printer (default: the default printer).", completion: .printers)
        var name: String?
        @Option(help: .option("media"))
        var paper: String?
        @Option(
            help: ArgumentHelp(
                "The PDF file in which the test page is saved instead of being printed.", valueName: "file"),
            completion: .file())
        var save: String?
        @Flag(help: "Replaces an existing file (with --save).")
        var force = false
        @Flag(help: "Waits until the job ends and shows the progress; fails if the job is not completed.")
        var wait = false
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func validate() throws {
            if force, save == nil { throw ValidationError("--force requires --save") }
        }

        func run() async throws {
            if let save, !force { try NewFile.check(save) }
            let queue = try session.spooler
            let media = try paper.map { try JobTicket([OptionText(name: "media", value: $0)], now: Session.now).media }
            let group = try await queue.printer(try name.map(PrinterName.checked), TestPageOrder.attributeNames)
            let order = TestPageOrder(
                group, media: media ?? nil, user: queue.user, date: LocalTime.long(Session.now))
            if let save {
                try write(order, to: save)
                if output.json { StandardOutput.print(.object([("printq-output-file", .string(save))])) }
                return
            }
            try await SubmissionReport(spooler: queue, json: output.json).report(
                try await queue.printTestPage(order), waiting: wait)
        }

        /// Draws the test page into a file.
        ///
        /// An existing file is replaced only with `--force`.
        private func write(_ order: TestPageOrder, to file: String) throws {
            guard !force, NewFile.isProtected(file) else { return try draw(order, to: file) }
            let folder = try ScratchFolder()
            defer { withExtendedLifetime(folder) {} }
            let page = "\(folder.path)/test-page.pdf"
            try draw(order, to: page)
            try NewFile.create(file, from: page)
        }

        /// Runs `print-test-page` to draw the test page.
        ///
        /// The program printq does not contain the drawing code.
        private func draw(_ order: TestPageOrder, to file: String) throws {
            guard let program = Programs.find("print-test-page") else {
                throw SpoolerClientError(
                    .unavailable, "cannot find print-test-page; install the package printq-worker")
            }
            let folder = try ScratchFolder()
            defer { withExtendedLifetime(folder) {} }
            let orderFile = "\(folder.path)/order.json"
            try JSONEncoder().encode(order).write(to: URL(filePath: orderFile))
            switch Programs.run(program, [orderFile, file]) {
            case 0: return
            case 74: throw SpoolerClientError(.output, "cannot write '\(file.printable)'")
            default: throw SpoolerClientError(.software, "print-test-page failed; see its messages above")
            }
        }
    }
}
