// Provides the base class for tests of the controller.

import FoundationEssentials
import PrintKit
import PrintTestSupport

/// A test suite with a controller, a job name, a destination that stores jobs, and a delegate that records calls.
class ControllerSuite {
    let folder: TemporaryFolder
    let destination = FakeDestination()
    let delegate = NotingDelegate()
    let controller = PrintInteractionController()

    init() throws {
        folder = try TemporaryFolder()
        controller.destination = destination
        controller.delegate = delegate
        controller.printInfo.jobName = "Test"
    }

    func text(_ text: String = "hello") -> SimpleTextPrintFormatter { SimpleTextPrintFormatter(text: text) }

    /// Prints the controller's content.
    ///
    /// - Returns: The error, or nil on success.
    func failure(of destination: FakeDestination? = nil, pages: PageRanges = .all) async throws -> PrintError? {
        let printer = try await (destination ?? self.destination).printer()
        do throws(PrintError) {
            try await controller.print(to: printer, pages: pages)
            return nil
        } catch {
            return error
        }
    }
}
