// The delegate of a document interaction controller.

/// A menu action that the delegate performs.
public enum DocumentAction: Hashable, Sendable, CaseIterable {
    /// The menu item Print, which the delegate performs.
    case print
    /// The action that copies the document.
    case copy
}

/// A delegate of a document interaction controller (`UIDocumentInteractionControllerDelegate`).
///
/// Every method has a default implementation. The default implementation does nothing, or returns `nil` or false.
public protocol DocumentInteractionControllerDelegate: AnyObject {
    /// Returns the presenter of previews (`documentInteractionControllerViewControllerForPreview(_:)`).
    ///
    /// If the method returns `nil`, which is the default, the controller shows no previews.
    func documentInteractionControllerParentForPreview(
        _ controller: DocumentInteractionController
    ) -> (any DocumentPresenting)?

    /// Tells the delegate that the preview will be shown.
    func documentInteractionControllerWillBeginPreview(_ controller: DocumentInteractionController)

    /// Tells the delegate that the preview has disappeared.
    func documentInteractionControllerDidEndPreview(_ controller: DocumentInteractionController)

    /// Tells the delegate that the options menu will be shown.
    func documentInteractionControllerWillPresentOptionsMenu(_ controller: DocumentInteractionController)

    /// Tells the delegate that the options menu has disappeared.
    ///
    /// The controller then performs the chosen action.
    func documentInteractionControllerDidDismissOptionsMenu(_ controller: DocumentInteractionController)

    /// Tells the delegate that the menu of applications will be shown.
    func documentInteractionControllerWillPresentOpenInMenu(_ controller: DocumentInteractionController)

    /// Tells the delegate that the menu of applications has disappeared.
    ///
    /// The controller then opens the document.
    func documentInteractionControllerDidDismissOpenInMenu(_ controller: DocumentInteractionController)

    /// Tells the delegate that the document will be opened in an application.
    func documentInteractionController(
        _ controller: DocumentInteractionController, willBeginSendingTo application: DocumentApplication)

    /// Tells the delegate that the application was started with the document.
    func documentInteractionController(
        _ controller: DocumentInteractionController, didEndSendingTo application: DocumentApplication)

    /// Tells the delegate that the document will be opened in an application, with UIKit's signature.
    ///
    /// - Parameter application: The identifier of the application (`DocumentApplication.id`).
    func documentInteractionController(
        _ controller: DocumentInteractionController, willBeginSendingToApplication application: String?)

    /// Tells the delegate that the application was started with the document, with UIKit's signature.
    ///
    /// - Parameter application: The identifier of the application (`DocumentApplication.id`).
    func documentInteractionController(
        _ controller: DocumentInteractionController, didEndSendingToApplication application: String?)

    /// Returns whether the delegate can perform an action.
    ///
    /// The default is false.
    func documentInteractionController(
        _ controller: DocumentInteractionController, canPerform action: DocumentAction
    ) -> Bool

    /// Performs an action that the person has chosen.
    nonisolated(nonsending) func documentInteractionController(
        _ controller: DocumentInteractionController, perform action: DocumentAction
    ) async
}

extension DocumentInteractionControllerDelegate {
    /// Returns `nil` as the default presenter, so that the controller shows no previews.
    public func documentInteractionControllerParentForPreview(
        _ controller: DocumentInteractionController
    ) -> (any DocumentPresenting)? { nil }

    /// Does nothing by default.
    public func documentInteractionControllerWillBeginPreview(_ controller: DocumentInteractionController) {}

    /// Does nothing by default.
    public func documentInteractionControllerDidEndPreview(_ controller: DocumentInteractionController) {}

    /// Does nothing by default.
    public func documentInteractionControllerWillPresentOptionsMenu(_ controller: DocumentInteractionController) {}

    /// Does nothing by default.
    public func documentInteractionControllerDidDismissOptionsMenu(_ controller: DocumentInteractionController) {}

    /// Does nothing by default.
    public func documentInteractionControllerWillPresentOpenInMenu(_ controller: DocumentInteractionController) {}

    /// Does nothing by default.
    public func documentInteractionControllerDidDismissOpenInMenu(_ controller: DocumentInteractionController) {}

    /// Does nothing by default.
    public func documentInteractionController(
        _ controller: DocumentInteractionController, willBeginSendingTo application: DocumentApplication
    ) {}

    /// Does nothing by default.
    public func documentInteractionController(
        _ controller: DocumentInteractionController, didEndSendingTo application: DocumentApplication
    ) {}

    /// Does nothing by default.
    public func documentInteractionController(
        _ controller: DocumentInteractionController, willBeginSendingToApplication application: String?
    ) {}

    /// Does nothing by default.
    public func documentInteractionController(
        _ controller: DocumentInteractionController, didEndSendingToApplication application: String?
    ) {}

    /// Returns false by default, so that the delegate performs no action.
    public func documentInteractionController(
        _ controller: DocumentInteractionController, canPerform action: DocumentAction
    ) -> Bool { false }

    /// Does nothing by default.
    public nonisolated(nonsending) func documentInteractionController(
        _ controller: DocumentInteractionController, perform action: DocumentAction
    ) async {}
}
