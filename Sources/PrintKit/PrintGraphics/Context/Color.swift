// Colours to draw with.

import FoundationEssentials

/// A colour with an alpha, as `UIColor`: given as RGB, HSB, white or CMYK.
///
///     Color.red.setFill()
///     Color(cyan: 1, magenta: 0.6, yellow: 0, black: 0.1).setStroke()
///
/// Components run from 0 to 1; what lies beyond is taken as the nearest of them, and what is not a number as 0. Red,
/// green and blue are sRGB. CMYK is kept as it was given, and drawn as the RGB that `red`, `green` and `blue` tell:
/// bitmaps and PDFs made here hold RGB.
public struct Color: Hashable, Sendable {
    /// How the colour was given.
    public enum Components: Hashable, Sendable {
        /// Red, green and blue.
        case rgb(red: Double, green: Double, blue: Double)
        /// A grey, from 0 black to 1 white.
        case white(Double)
        /// Amounts of four inks.
        case cmyk(cyan: Double, magenta: Double, yellow: Double, black: Double)
    }

    /// The components as they were given.
    public let components: Components
    /// The opacity, from 0 (invisible) to 1 (opaque).
    public let alpha: Double

    private init(_ components: Components, alpha: Double) {
        self.components = components
        self.alpha = clamped(alpha)
    }

    /// A colour of red, green and blue light, each from 0 to 1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.init(.rgb(red: clamped(red), green: clamped(green), blue: clamped(blue)), alpha: alpha)
    }

    /// A grey, from 0 black to 1 white.
    public init(white: Double, alpha: Double = 1) {
        self.init(.white(clamped(white)), alpha: alpha)
    }

    /// A colour of four inks, each from 0 to 1.
    public init(cyan: Double, magenta: Double, yellow: Double, black: Double, alpha: Double = 1) {
        self.init(
            .cmyk(cyan: clamped(cyan), magenta: clamped(magenta), yellow: clamped(yellow), black: clamped(black)),
            alpha: alpha)
    }

    /// A colour by its hue (0 and 1 are red, 1/3 green, 2/3 blue), saturation and brightness, each from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, alpha: Double = 1) {
        let (hue, saturation, brightness) = (clamped(hue), clamped(saturation), clamped(brightness))
        // Each component falls and rises along the circle of hues, a third of it after the one before.
        func component(_ offset: Double) -> Double {
            let sector = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(sector, 4 - sector, 1))
        }
        self.init(red: component(5), green: component(3), blue: component(1), alpha: alpha)
    }

    /// Red, from 0 to 1.
    public var red: Double { rgb.red }
    /// Green, from 0 to 1.
    public var green: Double { rgb.green }
    /// Blue, from 0 to 1.
    public var blue: Double { rgb.blue }

    /// The same colour with another opacity (`withAlphaComponent`).
    public func withAlpha(_ alpha: Double) -> Color { Color(components, alpha: alpha) }

    private var rgb: (red: Double, green: Double, blue: Double) {
        switch components {
        case .rgb(let red, let green, let blue): (red, green, blue)
        case .white(let white): (white, white, white)
        case .cmyk(let cyan, let magenta, let yellow, let black):
            ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black))
        }
    }
}

extension Color {
    /// No light.
    public static let black = Color(white: 0)
    /// A third of white.
    public static let darkGray = Color(white: 1 / 3)
    /// Half of white.
    public static let gray = Color(white: 0.5)
    /// Two thirds of white.
    public static let lightGray = Color(white: 2 / 3)
    /// The paper.
    public static let white = Color(white: 1)
    /// Red alone.
    public static let red = Color(red: 1, green: 0, blue: 0)
    /// Green alone.
    public static let green = Color(red: 0, green: 1, blue: 0)
    /// Blue alone.
    public static let blue = Color(red: 0, green: 0, blue: 1)
    /// Green and blue.
    public static let cyan = Color(red: 0, green: 1, blue: 1)
    /// Red and green.
    public static let yellow = Color(red: 1, green: 1, blue: 0)
    /// Red and blue.
    public static let magenta = Color(red: 1, green: 0, blue: 1)
    /// Red with half of green.
    public static let orange = Color(red: 1, green: 0.5, blue: 0)
    /// Half of red and half of blue.
    public static let purple = Color(red: 0.5, green: 0, blue: 0.5)
    /// 0.6, 0.4 and 0.2 of red, green and blue.
    public static let brown = Color(red: 0.6, green: 0.4, blue: 0.2)
    /// Nothing at all.
    public static let clear = Color(white: 0, alpha: 0)
}

extension Color {
    /// Makes it the fill colour of the current context; without one nothing happens.
    public func setFill() { GraphicsContext.current?.fillColor = self }

    /// Makes it the stroke colour of the current context; without one nothing happens.
    public func setStroke() { GraphicsContext.current?.strokeColor = self }

    /// Makes it the fill and the stroke colour of the current context; without one nothing happens.
    public func set() {
        setFill()
        setStroke()
    }
}

/// The nearest number from 0 to 1; 0 for what is not a number.
func clamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
