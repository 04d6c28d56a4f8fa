import FoundationEssentials
import PrintKit
import PrintSubmission
import Testing

/// Tests of the default destination of a program that is linked with PrintSubmission.
struct DefaultDestinationTests {
    @Test func `the default destination is the queue, and the static 'canPrint' answers for the queue`() {
        #expect(PrintInteractionController().destination is SpoolerDestination)
        #expect(PrintInteractionController.canPrint(data: Data("text".utf8)))
    }
}
