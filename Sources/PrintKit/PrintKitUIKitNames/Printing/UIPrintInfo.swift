// UIPrintInfo as a class, because programs change an object that they keep as a constant.

public import Foundation
public import PrintKit

/// The properties of a print job.
public final class UIPrintInfo {
    /// The type of the content.
    public typealias OutputType = PrintKit.OutputType
    /// The orientation of drawn content.
    public typealias Orientation = PrintKit.Orientation
    /// The sides to print on.
    public typealias Duplex = PrintKit.Duplex

    /// The properties as a value.
    public var value: PrintInfo

    /// Creates an object for a value.
    public init(_ value: PrintInfo) { self.value = value }

    /// Creates the default properties, or the properties of a dictionary that `dictionaryRepresentation` returned.
    public init(dictionary: [AnyHashable: Any]?) {
        value = dictionary?[Self.key] as? PrintInfo ?? PrintInfo()
    }

    /// Returns the default properties.
    public static func printInfo() -> UIPrintInfo { UIPrintInfo(dictionary: nil) }

    private static let key = "PrintKitUIKitNames.PrintInfo"

    /// The type of the content.
    public var outputType: OutputType {
        get { value.outputType }
        set { value.outputType = newValue }
    }
    /// The name of the job; empty for the name of the program.
    public var jobName: String {
        get { value.jobName }
        set { value.jobName = newValue }
    }
    /// The orientation of drawn content.
    public var orientation: Orientation {
        get { value.orientation }
        set { value.orientation = newValue }
    }
    /// The sides to print on.
    public var duplex: Duplex {
        get { value.duplex }
        set { value.duplex = newValue }
    }
    /// The name of the preselected printer; `nil` for the default printer.
    public var printerID: String? {
        get { value.printerID }
        set { value.printerID = newValue }
    }

    /// The properties in a dictionary for `init(dictionary:)` in the same process.
    public var dictionaryRepresentation: [AnyHashable: Any] { [Self.key: value] }
}

/// The domain of print errors.
public let UIPrintErrorDomain = PrintErrorDomain

extension PrintError: CustomNSError {
    /// The domain of the error as an `NSError`.
    public static var errorDomain: String { PrintErrorDomain }
    /// The code of the error as an `NSError`, with UIKit's numbers.
    public var errorCode: Int { code.rawValue }
    /// The message with its cause, as the localized description of an `NSError`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
