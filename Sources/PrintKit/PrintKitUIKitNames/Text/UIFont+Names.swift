// UIKit's names of fonts.

public import PrintKit

extension UIFont {
    /// Creates a font from the name of a family or face.
    ///
    /// The result is never `nil`: a missing font is replaced with a similar one.
    public init?(name: String, size: CGFloat) {
        let font: Font = .init(name: name, size: size)
        self = font
    }

    /// Returns the system's font.
    public static func systemFont(ofSize size: CGFloat) -> UIFont { system(ofSize: size) }

    /// Returns the system's font in a weight.
    public static func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        system(ofSize: size, weight: weight)
    }

    /// Returns the bold system font.
    public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { boldSystem(ofSize: size) }

    /// Returns the italic system font.
    public static func italicSystemFont(ofSize size: CGFloat) -> UIFont { italicSystem(ofSize: size) }

    /// Returns the system's monospaced font.
    public static func monospacedSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        monospacedSystem(ofSize: size, weight: weight)
    }

    /// Returns the system's font.
    ///
    /// Most fonts have digits of one width without a special variant.
    public static func monospacedDigitSystemFont(ofSize size: CGFloat, weight: Weight) -> UIFont {
        system(ofSize: size, weight: weight)
    }

    /// The size in points.
    public var pointSize: CGFloat { size }
    /// The name of the family.
    public var familyName: String { family }
    /// The names of all installed families.
    public static var familyNames: [String] { families }
    /// The size of text in views: 14 points.
    public static let systemFontSize: CGFloat = 14
    /// The size of labels: 17 points.
    public static let labelFontSize: CGFloat = 17

    /// The styles of text in documents.
    public enum TextStyle: Hashable, Sendable, CaseIterable {
        /// The largest title.
        case largeTitle
        /// The styles of titles, from large to small.
        case title1, title2, title3
        /// A bold line before a text.
        case headline
        /// A line below a headline.
        case subheadline
        /// Running text.
        case body
        /// Text beside the running text.
        case callout
        /// Notes.
        case footnote
        /// Captions of pictures, large and small.
        case caption1, caption2

        fileprivate var size: CGFloat {
            switch self {
            case .largeTitle: 34
            case .title1: 28
            case .title2: 22
            case .title3: 20
            case .headline, .body: 17
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption1: 12
            case .caption2: 11
            }
        }
    }

    /// Returns the system's font for a style, in iOS's default size.
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        system(ofSize: style.size, weight: style == .headline ? .semibold : .regular)
    }
}
