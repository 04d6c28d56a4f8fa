// A controller that is ready to print, and those around it.

import FoundationEssentials
import PrintKit
import PrintTestSupport

/// What tests of the controller begin with: a controller whose job has a name, a destination and a delegate that note.
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

    /// Prints what the controller was given; why that failed, or nil.
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
