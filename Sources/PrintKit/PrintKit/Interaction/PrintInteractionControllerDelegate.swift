// The delegate of a print interaction controller.

/// A delegate that receives the progress of a job and makes choices for the job
/// (`UIPrintInteractionControllerDelegate`).
///
/// Every method has a default implementation, which does nothing or leaves the choice to the controller. The methods
/// are called on the actor that called the controller.
public protocol PrintInteractionControllerDelegate: AnyObject {
    /// Returns the presenter that shows the printer options (`printInteractionControllerParentViewController(_:)`). For
    /// nil, the default, the controller uses its `optionsPresenter`.
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

    /// Tells the delegate that the job begins. The next steps are the choice of paper and the drawing.
    func printInteractionControllerWillStartJob(_ controller: PrintInteractionController)

    /// Tells the delegate that the job has ended, whether the job was completed, canceled or failed.
    func printInteractionControllerDidFinishJob(_ controller: PrintInteractionController)

    /// Returns the paper to print on, from the papers of the printer. For nil, the default, the controller uses the
    /// paper for the output type and the locale.
    ///
    ///     PrintPaper.bestPaper(forPageSize: document.pageSize, from: papers)
    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper?

    /// Returns the length of a page on a roll, in points. For nil, the default, the controller uses the paper's own
    /// length.
    ///
    /// The method is called only when the chosen paper comes from a roll (`PrinterCapabilities.isFromRoll(_:)`). The
    /// width of the page is the width of the chosen paper. In a PDF file, paper of the type `continuous` counts as a
    /// roll.
    func printInteractionController(_ controller: PrintInteractionController, cutLengthFor paper: PrintPaper) -> Double?

    /// Returns the points at which the printer cuts the paper roll. The default is `printerDefault`.
    ///
    /// The method is called only when the chosen paper comes from a roll.
    func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior

    /// Tells the delegate about the progress of the job: the acceptance, the pages, and alerts such as "Out of Paper".
    ///
    /// For several `printingItems`, `accepted` is reported in the order of the items. Other reports are passed on in
    /// the order in which they arrive from the printer.
    func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport)
}

extension PrintInteractionControllerDelegate {
    /// Returns nil, which selects the controller's own presenter.
    public func printInteractionControllerParent(
        _ controller: PrintInteractionController
    ) -> (any PrinterOptionsPresenting)? { nil }

    /// Does nothing.
    public func printInteractionControllerWillPresentPrinterOptions(_ controller: PrintInteractionController) {}

    /// Does nothing.
    public func printInteractionControllerDidPresentPrinterOptions(_ controller: PrintInteractionController) {}

    /// Does nothing.
    public func printInteractionControllerWillDismissPrinterOptions(_ controller: PrintInteractionController) {}

    /// Does nothing.
    public func printInteractionControllerDidDismissPrinterOptions(_ controller: PrintInteractionController) {}

    /// Does nothing.
    public func printInteractionControllerWillStartJob(_ controller: PrintInteractionController) {}

    /// Does nothing.
    public func printInteractionControllerDidFinishJob(_ controller: PrintInteractionController) {}

    /// Returns nil, which selects the paper for the output type and the locale.
    public func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper? { nil }

    /// Returns nil, which selects the paper's own length.
    public func printInteractionController(
        _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
    ) -> Double? { nil }

    /// Returns the printer's default.
    public func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior { .printerDefault }

    /// Does nothing.
    public func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport) {}
}
