// Blend modes.

import CCairo

/// The rule that combines a drawing with the content beneath it (`CGBlendMode`).
///
/// In the formulas, R is the result, S is the source (the new drawing) and D is the destination (the existing content),
/// each premultiplied with its alpha. Sa and Da are the alphas. PDF supports the modes from `normal` to `luminosity`.
/// In a PDF, an area that another mode affects is converted to pixels at 300 dpi. `sourceIn`, `sourceOut`,
/// `destinationIn` and `destinationAtop` affect the area of a filled shape or an image; for lines and text they affect
/// the whole clip.
public enum BlendMode: Hashable, Sendable, CaseIterable {
    /// S over D.
    case normal
    /// S × D.
    ///
    /// The result is never lighter than S or D.
    case multiply
    /// The inverse of the product of the inverses.
    ///
    /// The result is never darker than S or D.
    case screen
    /// `multiply` where D is dark, `screen` where D is light.
    case overlay
    /// The darker of S and D, per component.
    case darken
    /// The lighter of S and D, per component.
    case lighten
    /// D, lightened by S.
    case colorDodge
    /// D, darkened by S.
    case colorBurn
    /// D, softly darkened or lightened by S.
    case softLight
    /// `multiply` where S is dark, `screen` where S is light.
    case hardLight
    /// The absolute difference of S and D.
    case difference
    /// Like `difference`, with less contrast.
    case exclusion
    /// Hue of S; saturation and luminosity of D.
    case hue
    /// Saturation of S; hue and luminosity of D.
    case saturation
    /// Hue and saturation of S; luminosity of D.
    case color
    /// Luminosity of S; hue and saturation of D.
    case luminosity
    /// R = 0.
    case clear
    /// R = S.
    case copy
    /// R = S × Da.
    case sourceIn
    /// R = S × (1 − Da).
    case sourceOut
    /// R = S × Da + D × (1 − Sa).
    case sourceAtop
    /// R = S × (1 − Da) + D.
    ///
    /// The drawing appears beneath the existing content.
    case destinationOver
    /// R = D × Sa.
    case destinationIn
    /// R = D × (1 − Sa).
    case destinationOut
    /// R = S × (1 − Da) + D × Sa.
    case destinationAtop
    /// R = S × (1 − Da) + D × (1 − Sa).
    case xor
    /// R = S + D − 1 per component, at least 0.
    ///
    /// Intended for opaque backgrounds.
    case plusDarker
    /// R = S + D, at most 1.
    case plusLighter
}

extension BlendMode {
    /// The cairo operator.
    ///
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
    /// Other modes require pixels.
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
