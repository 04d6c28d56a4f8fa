// Draws and prints the test page of a printer.

import FoundationEssentials
public import PrintModel
import ProcessLaunch

extension Spooler {
    /// Prints a test page with rulers, grays, colors, fine lines and fonts, as `printq printers test-page` does.
    ///
    /// The program `print-test-page`, which is searched like `printd`, draws the page.
    ///
    /// - Parameters:
    ///   - printer: The name of the printer; nil for the default printer.
    ///   - media: The paper; nil for the printer's default paper.
    /// - Returns: The number of the job.
    /// - Throws: `SpoolerClientError`: `usage` if there is no such printer; `unavailable` or `software` if the page
    ///   cannot be drawn.
    @discardableResult
    public func printTestPage(at printer: String? = nil, media: Media? = nil) async throws(SpoolerClientError) -> Int {
        let order = TestPageOrder(
            try await self.printer(printer, TestPageOrder.attributeNames), media: media, user: user,
            date: LocalTime.long(UnixTime(Date.now.timeIntervalSince1970)))
        return try await printTestPage(order)
    }

    /// Draws and prints a test page, and returns the number of the job.
    package func printTestPage(_ order: TestPageOrder) async throws(SpoolerClientError) -> Int {
        let page = try await DrawnTestPage(order)
        defer { withExtendedLifetime(page) {} }
        var submission = try JobSubmission(files: [page.path], printer: order.printer)
        (submission.title, submission.ticket) = ("Test page", order.ticket)
        return try await submit(submission)
    }
}

/// A temporary file with the test page of a printer.
///
/// The file is removed when the last reference to this object is released.
private final class DrawnTestPage: Sendable {
    private let folder: ScratchFolder
    var path: String { "\(folder.path)/test-page.pdf" }

    private static let mostTime = Duration.seconds(30)

    /// Draws the test page with the program `print-test-page`, so that this module links no library that draws.
    init(_ order: TestPageOrder) async throws(SpoolerClientError) {
        guard let program = Programs.find("print-test-page") else {
            throw SpoolerClientError(.unavailable, "cannot find print-test-page; install the package printq-worker")
        }
        folder = try ScratchFolder()
        let orderFile = "\(folder.path)/order.json"
        let code: Int32
        do {
            try JSONEncoder().encode(order).write(to: URL(filePath: orderFile))
            code = try await Programs.run(
                program, [orderFile, path], log: "\(folder.path)/errors", within: Self.mostTime)
        } catch {
            throw SpoolerClientError(.software, "cannot draw the test page: \(error)", cause: error)
        }
        guard code == 0 else {
            throw SpoolerClientError(.software, "cannot draw the test page: print-test-page failed with code \(code)")
        }
    }
}
