// What an app is told of a job, and asked.

/// Is told how a job gets on, and asked for what the controller cannot know (`UIPrintInteractionControllerDelegate`).
///
/// Every method has a default, which does nothing or leaves the choice to the controller. It is called where the
/// controller's call was made.
public protocol PrintInteractionControllerDelegate: AnyObject {
    /// What the printer options are shown on (`printInteractionControllerParentViewController(_:)`); the controller's
    /// `optionsPresenter` for nil, as by default.
    func printInteractionControllerParent(
        _ controller: PrintInteractionController
    ) -> (any PrinterOptionsPresenting)?

    /// The options are about to be shown.
    func printInteractionControllerWillPresentPrinterOptions(_ controller: PrintInteractionController)

    /// The options are shown.
    func printInteractionControllerDidPresentPrinterOptions(_ controller: PrintInteractionController)

    /// The options are about to go.
    func printInteractionControllerWillDismissPrinterOptions(_ controller: PrintInteractionController)

    /// The options have gone.
    func printInteractionControllerDidDismissPrinterOptions(_ controller: PrintInteractionController)

    /// The job begins: its paper is chosen next, then it is drawn.
    func printInteractionControllerWillStartJob(_ controller: PrintInteractionController)

    /// The job has ended, however it did.
    func printInteractionControllerDidFinishJob(_ controller: PrintInteractionController)

    /// Which of the printer's papers to print on; nil, as by default, takes the one for output type and locale.
    ///
    ///     PrintPaper.bestPaper(forPageSize: document.pageSize, from: papers)
    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper?

    /// How long a page on a roll shall be, in points; nil, as by default, takes the paper's own length.
    ///
    /// It is asked only when the paper chosen comes from a roll (`PrinterCapabilities.isFromRoll(_:)`); the width of the page is
    /// that of the paper chosen. A file is a roll for paper of the type `continuous`.
    func printInteractionController(_ controller: PrintInteractionController, cutLengthFor paper: PrintPaper) -> Double?

    /// When a roll is cut; `printerDefault` unless said.
    ///
    /// It is asked only when the paper chosen comes from a roll.
    func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior

    /// News of the job: that it was taken over, its progress, and alerts such as "Out of Paper".
    ///
    /// Of several `printingItems`, `accepted` comes in their order. Their other news come as the printer has them.
    func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport)
}

extension PrintInteractionControllerDelegate {
    /// The controller's own presenter.
    public func printInteractionControllerParent(
        _ controller: PrintInteractionController
    ) -> (any PrinterOptionsPresenting)? { nil }

    /// Nothing.
    public func printInteractionControllerWillPresentPrinterOptions(_ controller: PrintInteractionController) {}

    /// Nothing.
    public func printInteractionControllerDidPresentPrinterOptions(_ controller: PrintInteractionController) {}

    /// Nothing.
    public func printInteractionControllerWillDismissPrinterOptions(_ controller: PrintInteractionController) {}

    /// Nothing.
    public func printInteractionControllerDidDismissPrinterOptions(_ controller: PrintInteractionController) {}

    /// Nothing.
    public func printInteractionControllerWillStartJob(_ controller: PrintInteractionController) {}

    /// Nothing.
    public func printInteractionControllerDidFinishJob(_ controller: PrintInteractionController) {}

    /// The paper for output type and locale.
    public func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper? { nil }

    /// The paper's own length.
    public func printInteractionController(
        _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
    ) -> Double? { nil }

    /// As the printer does when it is not told.
    public func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior { .printerDefault }

    /// Nothing.
    public func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport) {}
}
