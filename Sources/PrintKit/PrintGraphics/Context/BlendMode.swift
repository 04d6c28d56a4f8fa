// Blend modes.

import CCairo

/// The rule that combines a drawing with the content beneath it (`CGBlendMode`).
///
/// In the formulas, R is the result, S is the source (the new drawing) and D is the destination (the existing content).
/// S and D are premultiplied with their alphas, Sa and Da.
///
/// PDF supports the modes from `normal` to `luminosity`. If a drawing has another mode, the PDF stores the affected
/// area as pixels at 300 dpi.
///
/// `sourceIn`, `sourceOut`, `destinationIn` and `destinationAtop` affect only the area of a filled shape or an image.
/// For lines and text, these four modes affect the whole clip.
public enum BlendMode: Hashable, Sendable, CaseIterable {
    /// A mode that draws the source over the destination.
    case normal
    /// A mode that multiplies the source with the destination.
    ///
    /// The result is never lighter than the source or the destination.
    case multiply
    /// A mode that inverts the source and the destination, multiplies the results, and inverts the product.
    ///
    /// The result is never darker than the source or the destination.
    case screen
    /// A mode that acts as `multiply` where the destination is dark, and as `screen` where the destination is light.
    case overlay
    /// The darker of the source and the destination, per component.
    case darken
    /// The lighter of the source and the destination, per component.
    case lighten
    /// The destination, lightened by the source.
    case colorDodge
    /// The destination, darkened by the source.
    case colorBurn
    /// The destination, softly darkened or lightened by the source.
    case softLight
    /// A mode that acts as `multiply` where the source is dark, and as `screen` where the source is light.
    case hardLight
    /// The absolute difference of the source and the destination.
    case difference
    /// A mode like `difference`, but with less contrast.
    case exclusion
    /// The hue of the source, with the saturation and luminosity of the destination.
    case hue
    /// The saturation of the source, with the hue and luminosity of the destination.
    case saturation
    /// The hue and saturation of the source, with the luminosity of the destination.
    case color
    /// The luminosity of the source, with the hue and saturation of the destination.
    case luminosity
    /// A mode that erases the destination: R = 0.
    case clear
    /// A mode that replaces the destination with the source: R = S.
    case copy
    /// A mode that draws the source only where the destination is opaque, and erases the destination: R = S × Da.
    case sourceIn
    /// A mode that draws the source only where the destination is transparent, and erases the destination: R = S × (1 −
    /// Da).
    case sourceOut
    /// A mode that draws the source only where the destination is opaque: R = S × Da + D × (1 − Sa).
    case sourceAtop
    /// A mode that draws the source beneath the destination: R = S × (1 − Da) + D.
    ///
    /// The source is visible only where the destination is not opaque.
    case destinationOver
    /// A mode that keeps the destination only where the source is opaque: R = D × Sa.
    case destinationIn
    /// A mode that keeps the destination only where the source is transparent: R = D × (1 − Sa).
    case destinationOut
    /// A mode that keeps the destination only where the source is opaque, with the source beneath: R = S × (1 − Da) + D
    /// × Sa.
    case destinationAtop
    /// A mode that removes the overlap of the source and the destination: R = S × (1 − Da) + D × (1 − Sa).
    case xor
    /// A mode that adds darkness: R = S + D − 1 per component, at least 0.
    ///
    /// The mode is intended for opaque backgrounds.
    case plusDarker
    /// A mode that adds light: R = S + D, at most 1.
    case plusLighter
}

extension BlendMode {
    /// Cairo has no operator for `plusDarker`, so `render` composes that mode from other operators.
    var cairo: cairo_operator_t {
        switch self {
        case .normal, .plusDarker: CAIRO_OPERATOR_OVER
        case .multiply: CAIRO_OPERATOR_MULTIPLY
        case .screen: CAIRO_OPERATOR_SCREEN
        case .overlay: CAIRO_OPERATOR_OVERLAY
        case .darken: CAIRO_OPERATOR_DARKEN
        case .lighten: CAIRO_OPERATOR_LIGHTEN
        case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
        case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
        case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
        case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
        case .difference: CAIRO_OPERATOR_DIFFERENCE
        case .exclusion: CAIRO_OPERATOR_EXCLUSION
        case .hue: CAIRO_OPERATOR_HSL_HUE
        case .saturation: CAIRO_OPERATOR_HSL_SATURATION
        case .color: CAIRO_OPERATOR_HSL_COLOR
        case .luminosity: CAIRO_OPERATOR_HSL_LUMINOSITY
        case .clear: CAIRO_OPERATOR_CLEAR
        case .copy: CAIRO_OPERATOR_SOURCE
        case .sourceIn: CAIRO_OPERATOR_IN
        case .sourceOut: CAIRO_OPERATOR_OUT
        case .sourceAtop: CAIRO_OPERATOR_ATOP
        case .destinationOver: CAIRO_OPERATOR_DEST_OVER
        case .destinationIn: CAIRO_OPERATOR_DEST_IN
        case .destinationOut: CAIRO_OPERATOR_DEST_OUT
        case .destinationAtop: CAIRO_OPERATOR_DEST_ATOP
        case .xor: CAIRO_OPERATOR_XOR
        case .plusLighter: CAIRO_OPERATOR_ADD
        }
    }

    /// Whether PDF has this blend mode.
    ///
    /// A PDF stores drawings in other modes as pixels.
    var isKnownToPDF: Bool {
        switch self {
        case .clear, .copy, .sourceIn, .sourceOut, .sourceAtop, .destinationOver, .destinationIn, .destinationOut,
            .destinationAtop, .xor, .plusDarker, .plusLighter:
            false
        default: true
        }
    }

    /// Whether cairo's operator also changes pixels outside the shape.
    var reachesBeyondShape: Bool {
        [.sourceIn, .sourceOut, .destinationIn, .destinationAtop].contains(self)
    }
}
