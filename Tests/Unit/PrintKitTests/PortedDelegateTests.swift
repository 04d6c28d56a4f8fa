import Foundation
import PrintKit
import PrintTestSupport
import Testing

/// Tests of delegates from UIKit, whose methods have UIKit's names and signatures.
final class PortedDelegateTests: ControllerSuite {
    private typealias UIPrintInteractionController = PrintInteractionController
    private typealias UIPrintInteractionControllerDelegate = PrintInteractionControllerDelegate
    private typealias UIPrintPaper = PrintPaper

    private final class Ported: UIPrintInteractionControllerDelegate {
        func printInteractionController(
            _ printInteractionController: UIPrintInteractionController, choosePaper paperList: [UIPrintPaper]
        ) -> UIPrintPaper { paperList[0] }

        func printInteractionController(
            _ printInteractionController: UIPrintInteractionController, cutLengthFor paper: UIPrintPaper
        ) -> CGFloat { 400 }

        func printInteractionController(
            _ printInteractionController: UIPrintInteractionController, chooseCutterBehavior availableBehaviors: [Any]
        ) -> CutterBehavior { availableBehaviors.count == 5 ? .cutAfterEachPage : .noCut }
    }

    private final class PaperOnly: UIPrintInteractionControllerDelegate {
        func printInteractionController(
            _ printInteractionController: UIPrintInteractionController, choosePaper paperList: [UIPrintPaper]
        ) -> UIPrintPaper { paperList[1] }
    }

    @Test func `the paper, the cut length and the cutter behavior of a delegate from UIKit are applied`() async throws {
        let roll = FakeDestination([("roll", .roll)])
        let ported = Ported()
        controller.delegate = ported
        controller.printFormatter = text()
        try await controller.print(to: roll.printer("roll"))
        let job = try #require(roll.jobs.first)
        #expect(job.pageSize.isNearly(Size(width: 288, height: 400), tolerance: 0.1))
        #expect(job.request.cutterBehavior == .cutAfterEachPage)
    }

    @Test func `a delegate from UIKit that only chooses paper keeps the length of the paper`() async throws {
        let laser = FakeDestination()
        let ported = PaperOnly()
        controller.delegate = ported
        controller.printFormatter = text()
        try await controller.print(to: laser.printer())
        #expect(laser.jobs.first?.pageSize.isNearly(Media.a5.size) == true)
    }
}
