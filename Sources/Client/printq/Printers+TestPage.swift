// printq printers test-page.

import ArgumentParser
import FoundationEssentials
import Glibc
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient
import ProcessLaunch

extension Printers {
    struct TestPage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a test page: rulers, greys, colours, fine lines, fonts.",
            discussion: """
                The page is drawn for the printer's own paper. The frame is what the printer says it can print on; the scales \
                across the edges begin at the edge of the paper, so that the first mark one can see is the margin it really has.
                """)
        @Argument(help: "The printer (default: the default one).")
        var name: String?
        @Option(help: .option("media"))
        var paper: String?
        @Option(
            help: ArgumentHelp("Write the page to a PDF file, and print nothing.", valueName: "file"),
            completion: .file())
        var save: String?
        @Flag(help: "Wait until the job has ended, showing its progress; fails when it is not completed.")
        var wait = false
        @OptionGroup var output: OutputChoice
        @OptionGroup var session: Session

        func run() async throws {
            let queue = try session.spooler
            let media = try paper.map { try JobTicket([OptionText(name: "media", value: $0)], now: Session.now).media }
            let group = try await queue.printer(try name.map(PrinterName.checked), TestPageOrder.attributeNames)
            let order = TestPageOrder(
                group, media: media ?? nil, user: queue.user, date: LocalTime.long(Session.now))
            if let save { return try draw(order, to: save) }
            try await print(order, queue)
        }

        private func print(_ order: TestPageOrder, _ queue: Spooler) async throws {
            let folder = try ScratchFolder()
            defer { folder.remove() }
            let file = "\(folder.path)/test-page.pdf"
            try draw(order, to: file)
            var submission = JobSubmission(documents: [try DocumentFile(path: file)], id: UUID().uuidString)
            submission.printer = order.printer
            submission.title = "Test page"
            submission.ticket = order.ticket
            try await SubmissionReport(spooler: queue, output: output).report(
                try await queue.submit(submission), waiting: wait)
        }

        /// Has `print-test-page` draw the page, for printq itself links nothing that draws.
        private func draw(_ order: TestPageOrder, to file: String) throws {
            guard let program = Programs.find("print-test-page") else {
                throw SpoolerClientError(
                    .unavailable, "print-test-page is neither beside printq nor in PATH; install it there")
            }
            let folder = try ScratchFolder()
            defer { folder.remove() }
            let orderFile = "\(folder.path)/order.json"
            try JSONEncoder().encode(order).write(to: URL(filePath: orderFile))
            switch Programs.run(program, [orderFile, file]) {
            case 0: return
            case 74: throw SpoolerClientError(.output, "'\(file.printable)' was not written")
            default: throw SpoolerClientError(.software, "print-test-page has failed; see above")
            }
        }
    }
}

/// A folder of a command's own, for as long as it runs.
private struct ScratchFolder {
    let path: String

    init() throws(SpoolerClientError) {
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(place)/printq-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SpoolerClientError(.output, "'\(place)' cannot be written: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
