// The delegate of a print interaction controller.

/// A delegate that receives the progress of a job and makes choices for the job
/// (`UIPrintInteractionControllerDelegate`).
///
/// Every method has a default implementation. The default implementation does nothing or leaves the choice to the
/// controller. The methods are called on the actor that called the controller.
public protocol PrintInteractionControllerDelegate: AnyObject {
    /// Returns the presenter that shows the printer options (`printInteractionControllerParentViewController(_:)`).
    ///
    /// If the method returns `nil`, which is the default, the controller uses its `optionsPresenter`.
    func printInteractionControllerParent(
        _ controller: PrintInteractionController
    ) -> (any PrinterOptionsPresenting)?

    /// Tells the delegate that the options will be shown.
    func printInteractionControllerWillPresentPrinterOptions(_ controller: PrintInteractionController)

    /// Tells the delegate that the options are shown.
    func printInteractionControllerDidPresentPrinterOptions(_ controller: PrintInteractionController)

    /// Tells the delegate that the options will disappear.
    func printInteractionControllerWillDismissPrinterOptions(_ controller: PrintInteractionController)

    /// Tells the delegate that the options have disappeared.
    func printInteractionControllerDidDismissPrinterOptions(_ controller: PrintInteractionController)

    /// Tells the delegate that the job begins.
    ///
    /// The next steps are the choice of paper and the drawing.
    func printInteractionControllerWillStartJob(_ controller: PrintInteractionController)

    /// Tells the delegate that the job was completed, was canceled, or failed.
    func printInteractionControllerDidFinishJob(_ controller: PrintInteractionController)

    /// Returns the paper to print on, from the papers of the printer.
    ///
    /// If the method returns `nil`, which is the default, the controller uses the paper for the output type and the
    /// locale.
    ///
    ///     PrintPaper.bestPaper(forPageSize: document.pageSize, from: papers)
    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper?

    /// Returns the length of a page on a roll, in points.
    ///
    /// If the method returns `nil`, which is the default, the controller uses the length of the paper.
    ///
    /// The controller calls this method only when the chosen paper comes from a roll
    /// (`PrinterCapabilities.isFromRoll(_:)`). The width of the page is the width of the chosen paper. In a PDF file,
    /// paper of the type `continuous` counts as a roll.
    func printInteractionController(_ controller: PrintInteractionController, cutLengthFor paper: PrintPaper) -> Double?

    /// Returns the setting that determines when the printer cuts the paper roll.
    ///
    /// The default is `printerDefault`. The controller calls this method only when the chosen paper comes from a roll.
    func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior

    /// Tells the delegate about the progress of the job: the acceptance, the pages, and alerts such as "Out of Paper".
    ///
    /// For several `printingItems`, the controller reports `accepted` in the order of the items. The controller
    /// forwards all other reports in the order in which the printer sends the reports.
    func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport)
}

extension PrintInteractionControllerDelegate {
    /// Returns `nil`, which selects the presenter of the controller.
    public func printInteractionControllerParent(
        _ controller: PrintInteractionController
    ) -> (any PrinterOptionsPresenting)? { nil }

    /// Does nothing by default before the options are shown.
    public func printInteractionControllerWillPresentPrinterOptions(_ controller: PrintInteractionController) {}

    /// Does nothing by default after the options are shown.
    public func printInteractionControllerDidPresentPrinterOptions(_ controller: PrintInteractionController) {}

    /// Does nothing by default before the options disappear.
    public func printInteractionControllerWillDismissPrinterOptions(_ controller: PrintInteractionController) {}

    /// Does nothing by default after the options have disappeared.
    public func printInteractionControllerDidDismissPrinterOptions(_ controller: PrintInteractionController) {}

    /// Does nothing by default at the start of the job.
    public func printInteractionControllerWillStartJob(_ controller: PrintInteractionController) {}

    /// Does nothing by default at the end of the job.
    public func printInteractionControllerDidFinishJob(_ controller: PrintInteractionController) {}

    /// Returns `nil`, which selects the paper for the output type and the locale.
    public func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper? { nil }

    /// Returns `nil`, which selects the length of the paper.
    public func printInteractionController(
        _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
    ) -> Double? { nil }

    /// Returns `printerDefault`, which selects the printer's default cut.
    public func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior { .printerDefault }

    /// Does nothing by default for a progress report of the job.
    public func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport) {}
}
