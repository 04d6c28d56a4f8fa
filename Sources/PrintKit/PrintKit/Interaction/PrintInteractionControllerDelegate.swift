// The delegate of a print interaction controller.

/// A delegate that receives the progress of a job and makes choices for the job
/// (`UIPrintInteractionControllerDelegate`).
///
/// Every method has a default implementation. The default implementation does nothing or returns the controller's
/// choice. The methods are called on the actor that called the controller. Methods with UIKit's signatures satisfy the
/// requirements.
public protocol PrintInteractionControllerDelegate: AnyObject {
    /// The type of the length of a page on a roll: `Double`, or `CGFloat` in code from UIKit.
    associatedtype CutLength: BinaryFloatingPoint = Double

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
    /// The default is the paper for the output type and the locale
    /// (`PrintInteractionController.defaultPaper(from:)`).
    ///
    ///     PrintPaper.bestPaper(forPageSize: document.pageSize, withPapersFrom: papers)
    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper

    /// Returns the length of a page on a roll, in points.
    ///
    /// The default is the length of the paper.
    ///
    /// The controller calls this method only when the chosen paper comes from a roll
    /// (`PrinterCapabilities.isFromRoll(_:)`). The width of the page is the width of the chosen paper. In a PDF file,
    /// paper of the type `continuous` counts as a roll.
    func printInteractionController(
        _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
    ) -> CutLength

    /// Returns the setting that determines when the printer cuts the paper roll.
    ///
    /// The default is `printerDefault`. The controller calls this method only when the chosen paper comes from a roll.
    func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior

    /// Returns the setting that determines when the printer cuts the paper roll, with UIKit's signature.
    ///
    /// The controller calls this method. The default calls the method with an array of `CutterBehavior`.
    func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [Any]
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

    /// Returns the paper for the output type and the locale.
    public func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper { controller.defaultPaper(from: papers) }

    /// Returns the length of the paper.
    public func printInteractionController(
        _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
    ) -> CutLength { CutLength(paper.paperSize.height) }

    /// Returns `printerDefault`, which selects the printer's default cut.
    public func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior { .printerDefault }

    /// Calls the method with an array of `CutterBehavior`.
    public func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [Any]
    ) -> CutterBehavior {
        printInteractionController(controller, chooseCutterBehavior: behaviors.compactMap { $0 as? CutterBehavior })
    }

    /// Does nothing by default for a progress report of the job.
    public func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport) {}
}
