// Colors.

import FoundationEssentials

/// A color with an alpha, given as RGB, HSB, gray, CMYK or in an ICC profile (`UIColor`).
///
///     Color.red.setFill()
///     Color(cyan: 1, magenta: 0.6, yellow: 0, black: 0.1).setStroke()
///
/// Components range from 0 to 1. Values outside the range are clamped, and NaN becomes 0. Red, green and blue are sRGB.
/// In PDFs, the CMYK colors of fills, lines and text keep their components, unless the document has a `PDFConformance`.
/// Bitmaps, gradients, shadows and areas that are converted to pixels have the RGB color of `red`, `green` and `blue`.
public struct Color: Hashable, Sendable {
    /// The color model and its components.
    public enum Components: Hashable, Sendable {
        /// The RGB model: red, green and blue.
        case rgb(red: Double, green: Double, blue: Double)
        /// The gray model: a gray level from 0 (black) to 1 (white).
        case white(Double)
        /// The CMYK model: the amounts of cyan, magenta, yellow and black ink.
        case cmyk(cyan: Double, magenta: Double, yellow: Double, black: Double)
        /// The components of a profile's color model, and the RGB color for pixels.
        case profile(ICCProfile, [Double], red: Double, green: Double, blue: Double)
    }

    /// The components that were passed to the initializer.
    public let components: Components
    /// The opacity, from 0 (invisible) to 1 (opaque).
    public let alpha: Double

    private init(_ components: Components, alpha: Double) {
        self.components = components
        self.alpha = clamped(alpha)
    }

    /// Creates a color from red, green and blue, each from 0 to 1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.init(.rgb(red: clamped(red), green: clamped(green), blue: clamped(blue)), alpha: alpha)
    }

    /// Creates a gray from 0 (black) to 1 (white).
    public init(white: Double, alpha: Double = 1) {
        self.init(.white(clamped(white)), alpha: alpha)
    }

    /// Creates a color from the amounts of four inks, each from 0 to 1.
    public init(cyan: Double, magenta: Double, yellow: Double, black: Double, alpha: Double = 1) {
        self.init(
            .cmyk(cyan: clamped(cyan), magenta: clamped(magenta), yellow: clamped(yellow), black: clamped(black)),
            alpha: alpha)
    }

    /// Creates a color from the components of an ICC profile.
    ///
    ///     let brand = Color(profile: press, components: [0.9, 0.7, 0, 0.1], alternate: Color(red: 0, green: 0.2, blue:
    ///     0.6))
    ///
    /// In a PDF, fills, lines and text have exactly this color. Everything else shows the alternate color.
    ///
    /// - Parameters:
    ///   - components: One number from 0 to 1 for each component of the profile; missing components are 0. Lab profiles
    ///     are not supported, and have the alternate color.
    ///   - alternate: The RGB color for pixels, gradients and shadows; its alpha is the alpha of the color.
    public init(profile: ICCProfile, components: [Double], alternate: Color) {
        let values = (0..<profile.componentCount).map { $0 < components.count ? clamped(components[$0]) : 0 }
        self.init(
            .profile(profile, values, red: alternate.red, green: alternate.green, blue: alternate.blue),
            alpha: alternate.alpha)
    }

    /// Creates a color from hue (0 and 1 are red, 1/3 green, 2/3 blue), saturation and brightness, each from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, alpha: Double = 1) {
        let (hue, saturation, brightness) = (clamped(hue), clamped(saturation), clamped(brightness))
        // Each component follows the same curve along the hue circle, shifted by a third of the circle.
        func component(_ offset: Double) -> Double {
            let sector = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(sector, 4 - sector, 1))
        }
        self.init(red: component(5), green: component(3), blue: component(1), alpha: alpha)
    }

    /// The red component, from 0 to 1.
    public var red: Double { rgb.red }
    /// The green component, from 0 to 1.
    public var green: Double { rgb.green }
    /// The blue component, from 0 to 1.
    public var blue: Double { rgb.blue }

    /// Returns the same color with another opacity (`withAlphaComponent`).
    public func withAlpha(_ alpha: Double) -> Color { Color(components, alpha: alpha) }

    /// Whether the color is a CMYK color, or a color of an ICC profile.
    var isMarked: Bool {
        switch components {
        case .cmyk: true
        case .profile(let profile, _, _, _, _): !profile.isLab
        case .rgb, .white: false
        }
    }

    var profile: ICCProfile? { if case .profile(let profile, _, _, _, _) = components { profile } else { nil } }

    private var rgb: (red: Double, green: Double, blue: Double) {
        switch components {
        case .rgb(let red, let green, let blue): (red, green, blue)
        case .white(let white): (white, white, white)
        case .profile(_, _, let red, let green, let blue): (red, green, blue)
        case .cmyk(let cyan, let magenta, let yellow, let black):
            ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black))
        }
    }
}

extension Color {
    /// A gray level of 0.
    public static let black = Color(white: 0)
    /// A gray level of 1/3.
    public static let darkGray = Color(white: 1 / 3)
    /// A gray level of 1/2.
    public static let gray = Color(white: 0.5)
    /// A gray level of 2/3.
    public static let lightGray = Color(white: 2 / 3)
    /// A gray level of 1.
    public static let white = Color(white: 1)
    /// The RGB color (1, 0, 0).
    public static let red = Color(red: 1, green: 0, blue: 0)
    /// The RGB color (0, 1, 0).
    public static let green = Color(red: 0, green: 1, blue: 0)
    /// The RGB color (0, 0, 1).
    public static let blue = Color(red: 0, green: 0, blue: 1)
    /// The RGB color (0, 1, 1).
    public static let cyan = Color(red: 0, green: 1, blue: 1)
    /// The RGB color (1, 1, 0).
    public static let yellow = Color(red: 1, green: 1, blue: 0)
    /// The RGB color (1, 0, 1).
    public static let magenta = Color(red: 1, green: 0, blue: 1)
    /// The RGB color (1, 0.5, 0).
    public static let orange = Color(red: 1, green: 0.5, blue: 0)
    /// The RGB color (0.5, 0, 0.5).
    public static let purple = Color(red: 0.5, green: 0, blue: 0.5)
    /// The RGB color (0.6, 0.4, 0.2).
    public static let brown = Color(red: 0.6, green: 0.4, blue: 0.2)
    /// The color black with an alpha of 0, which is fully transparent.
    public static let clear = Color(white: 0, alpha: 0)
}

extension Color {
    /// Sets the fill color of the current context.
    ///
    /// Does nothing without a current context.
    public func setFill() { GraphicsContext.current?.fillColor = self }

    /// Sets the stroke color of the current context.
    ///
    /// Does nothing without a current context.
    public func setStroke() { GraphicsContext.current?.strokeColor = self }

    /// Sets the fill and stroke colors of the current context.
    ///
    /// Does nothing without a current context.
    public func set() {
        setFill()
        setStroke()
    }
}

/// Returns the value clamped to the range from 0 to 1; 0 for NaN.
func clamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
