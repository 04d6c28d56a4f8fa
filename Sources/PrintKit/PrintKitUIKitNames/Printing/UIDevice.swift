// The kind of the device and bar buttons, so that code that chooses a popover or a sheet compiles.

/// The device on which a program runs.
@MainActor
public final class UIDevice {
    /// The device.
    public static let current = UIDevice()

    /// The kind of the user interface: `unspecified`, so that programs present options without a popover.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .unspecified }

    private init() {}
}

/// The kinds of user interfaces.
public enum UIUserInterfaceIdiom: Int, Hashable, Sendable {
    /// Another kind than a phone or a tablet.
    case unspecified = -1
    /// A phone.
    case phone = 0
    /// A tablet.
    case pad = 1
}

/// A button of a bar, which exists only as the place of a popover.
@MainActor
public final class UIBarButtonItem {
    /// The buttons of the system that concern documents.
    public enum SystemItem: Hashable, Sendable {
        /// The buttons that show actions, begin something, save it, and end it.
        case action, add, save, done, cancel
    }

    /// Creates a button.
    public init() {}

    /// Creates a button of the system.
    public init(systemItem: SystemItem) {}
}

extension UIPrintInteractionController {
    /// Shows the options as a popover, and prints when the person accepts them.
    ///
    /// - Parameter item: The button, whose place is not known: the presenter chooses the place.
    /// - Returns: False if options are shown already, or if there is no content.
    @discardableResult
    public func present(
        from item: UIBarButtonItem, animated: Bool, completionHandler completion: CompletionHandler? = nil
    ) -> Bool { present(from: .zero, in: UIView(), animated: animated, completionHandler: completion) }
}
