// Draws the test page of a printer.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
import SpoolerClient

/// A temporary folder that contains the test page of a printer.
///
/// The folder is removed when the last reference to this object is released.
final class DrawnTestPage: Sendable {
    private let folder: String
    var path: String { "\(folder)/test-page.pdf" }

    private static let mostTime = Duration.seconds(30)

    /// Draws the test page with the program `print-test-page`, as `printq printers test-page` does.
    ///
    /// - Throws: `Problem` if the page cannot be drawn.
    init(_ order: TestPageOrder) async throws {
        guard let program = Programs.find("print-test-page") else {
            throw Problem(
                .internalServerError, "cannot find print-test-page; install the package printq-worker")
        }
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(place)/printq-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Problem(
                .internalServerError, "cannot create a folder in '\(place)': \(String(cString: strerror(errno)))")
        }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let orderFile = "\(folder)/order.json"
        try JSONEncoder().encode(order).write(to: URL(filePath: orderFile))
        let code = try await Programs.run(
            program, [orderFile, path], log: "\(folder)/errors", within: Self.mostTime)
        guard code == 0 else {
            throw Problem(.internalServerError, "print-test-page failed with code \(code)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
