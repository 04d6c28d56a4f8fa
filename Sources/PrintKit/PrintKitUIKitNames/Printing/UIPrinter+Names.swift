// UIKit's names of printers and of the choice of a printer.

public import Foundation
public import PrintKit

extension UIPrinter {
    /// Creates a printer of the default destination from the address that a printer's `url` returned.
    public init(url: URL) {
        self.init(
            id: url.absoluteString, url: url, displayName: url.lastPathComponent,
            destination: PrintInteractionController.defaultDestination)
    }

    /// Requests the capabilities of the printer, and passes whether the printer responds to a closure.
    @MainActor
    public func contactPrinter(_ completionHandler: (@MainActor (Bool) -> Void)?) {
        var printer = self
        Task { @MainActor in
            let isAvailable = await printer.contactPrinter()
            completionHandler?(isAvailable)
        }
    }
}

/// A picker with which a person chooses a printer.
@MainActor
public final class UIPrinterPickerController {
    /// The closure that a picker calls at its end: the picker, whether a printer was chosen, and the error.
    public typealias CompletionHandler = @MainActor (UIPrinterPickerController, Bool, (any Error)?) -> Void

    /// The picker of PrintKit.
    public let picker: PrinterPicker
    /// The delegate, which decides which printers are shown.
    public weak var delegate: (any UIPrinterPickerControllerDelegate)?

    /// Creates a picker for the printers of the shared controller's destination.
    public init(initiallySelectedPrinter printer: UIPrinter?) {
        picker = PrinterPicker(
            destination: UIPrintInteractionController.shared.controller.destination, initiallySelected: printer)
    }

    /// The chosen printer, or the preselected printer.
    public var selectedPrinter: UIPrinter? { picker.selectedPrinter }

    /// Shows the printers, and returns true.
    @discardableResult
    public func present(animated: Bool, completionHandler completion: CompletionHandler? = nil) -> Bool {
        picker.shouldShow = { [weak self] printer in
            MainActor.assumeIsolated {
                guard let self, let delegate = self.delegate else { return true }
                return delegate.printerPickerController(self, shouldShow: printer)
            }
        }
        Task { @MainActor in
            do {
                let isChosen = try await picker.present()
                completion?(self, isChosen, nil)
            } catch {
                completion?(self, false, error)
            }
        }
        return true
    }
}

/// The methods that a printer picker calls.
@MainActor
public protocol UIPrinterPickerControllerDelegate: AnyObject {
    /// Returns whether a printer is shown; the default is true.
    func printerPickerController(_ printerPickerController: UIPrinterPickerController, shouldShow printer: UIPrinter)
        -> Bool
}

extension UIPrinterPickerControllerDelegate {
    /// Returns true.
    public func printerPickerController(
        _ printerPickerController: UIPrinterPickerController, shouldShow printer: UIPrinter
    ) -> Bool { true }
}
