// UIKit's names of colors.

public import PrintKit

extension UIColor {
    /// Creates a color from a low-level color, which is the same value.
    public init(cgColor: CGColor) { self = cgColor }

    /// The color as a low-level color, which is the same value.
    public var cgColor: CGColor { self }

    /// Returns the same color with another opacity.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor { withAlpha(alpha) }

    /// Stores the components in variables, and returns true.
    @discardableResult
    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = self.red
        green?.pointee = self.green
        blue?.pointee = self.blue
        alpha?.pointee = self.alpha
        return true
    }

    // The system's colors in their light form, because paper is white.

    /// The system's red.
    public static let systemRed = UIColor(red: 1, green: 59 / 255, blue: 48 / 255)
    /// The system's orange.
    public static let systemOrange = UIColor(red: 1, green: 149 / 255, blue: 0)
    /// The system's yellow.
    public static let systemYellow = UIColor(red: 1, green: 204 / 255, blue: 0)
    /// The system's green.
    public static let systemGreen = UIColor(red: 52 / 255, green: 199 / 255, blue: 89 / 255)
    /// The system's blue.
    public static let systemBlue = UIColor(red: 0, green: 122 / 255, blue: 1)
    /// The system's purple.
    public static let systemPurple = UIColor(red: 175 / 255, green: 82 / 255, blue: 222 / 255)
    /// The system's gray.
    public static let systemGray = UIColor(red: 142 / 255, green: 142 / 255, blue: 147 / 255)
    /// The color of text: black.
    public static let label = UIColor.black
    /// The color of less important text: a gray.
    public static let secondaryLabel = UIColor(red: 60 / 255, green: 60 / 255, blue: 67 / 255, alpha: 0.6)
    /// The color of thin lines between contents.
    public static let separator = UIColor(red: 60 / 255, green: 60 / 255, blue: 67 / 255, alpha: 0.29)
    /// The color of the background: white.
    public static let systemBackground = UIColor.white
}
