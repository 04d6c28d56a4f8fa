// The attributes of NSAttributedString, and their equals in PrintGraphics.

public import Foundation
public import PrintKit

extension NSAttributedString.Key {
    /// The key of a `UIFont`; the default is the system font in 12 points.
    public static let font = NSAttributedString.Key("NSFont")
    /// The key of a `UIColor` of the text; the default is black.
    public static let foregroundColor = NSAttributedString.Key("NSColor")
    /// The key of a `UIColor` behind the text.
    public static let backgroundColor = NSAttributedString.Key("NSBackgroundColor")
    /// The key of an `NSParagraphStyle`.
    public static let paragraphStyle = NSAttributedString.Key("NSParagraphStyle")
    /// The key of the additional space after each character, a number in points.
    public static let kern = NSAttributedString.Key("NSKern")
    /// The key of the distance above the baseline, a number in points.
    public static let baselineOffset = NSAttributedString.Key("NSBaselineOffset")
    /// The key of the raw value of an `NSUnderlineStyle`.
    public static let underlineStyle = NSAttributedString.Key("NSUnderline")
    /// The key of the raw value of an `NSUnderlineStyle`; each value except 0 strikes the text through.
    public static let strikethroughStyle = NSAttributedString.Key("NSStrikethrough")
}

/// The styles of underlines.
public struct NSUnderlineStyle: OptionSet, Hashable, Sendable {
    /// The bit set.
    public let rawValue: Int

    /// Creates a style from a bit set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A single line.
    public static let single = NSUnderlineStyle(rawValue: 0x01)
    /// A thick line, which is drawn as a single line.
    public static let thick = NSUnderlineStyle(rawValue: 0x02)
    /// A double line.
    public static let double = NSUnderlineStyle(rawValue: 0x09)
}

extension NSMutableAttributedString {
    /// Creates an empty text.
    public convenience init() { self.init(string: "") }
}

extension AttributedString {
    /// Creates text from UIKit's attributed text.
    ///
    /// Font, colors, paragraph style, kern, baseline offset, underline and strikethrough are kept. Other attributes are
    /// omitted. Text without a color is black, as in UIKit.
    public init(uiKit text: NSAttributedString) {
        self.init()
        let string = NSString(string: text.string)
        text.enumerateAttributes(in: NSRange(location: 0, length: text.length), options: []) { values, range, _ in
            append(AttributedString(string.substring(with: range), attributes: AttributeContainer(uiKit: values)))
        }
    }
}

extension AttributeContainer {
    init(uiKit values: [NSAttributedString.Key: Any]) {
        self.init()
        self.printGraphics.font = values[.font] as? UIFont ?? .system(ofSize: 12)
        self.printGraphics.textColor = values[.foregroundColor] as? UIColor ?? .black
        self.printGraphics.textBackground = values[.backgroundColor] as? UIColor
        self.printGraphics.paragraphStyle = (values[.paragraphStyle] as? NSParagraphStyle)?.style
        self.printGraphics.kern = number(values[.kern])
        self.printGraphics.baselineOffset = number(values[.baselineOffset])
        let line = number(values[.underlineStyle]).map { NSUnderlineStyle(rawValue: Int($0)) } ?? []
        if !line.isEmpty { self.printGraphics.underline = line == .double ? .double : .single }
        if let strike = number(values[.strikethroughStyle]), strike != 0 { self.printGraphics.strikethrough = true }
    }
}

/// Returns a number of any type that Swift stores in a dictionary of attributes.
private func number(_ value: Any?) -> Double? {
    switch value {
    case let value as Double: value
    case let value as Int: Double(value)
    case let value as Float: Double(value)
    case let value as NSUnderlineStyle: Double(value.rawValue)
    case let value as NSNumber: value.doubleValue
    default: nil
    }
}

extension UISimpleTextPrintFormatter {
    /// Creates a formatter for UIKit's attributed text.
    public convenience init(attributedText: NSAttributedString) {
        self.init(attributedText: AttributedString(uiKit: attributedText))
    }
}
