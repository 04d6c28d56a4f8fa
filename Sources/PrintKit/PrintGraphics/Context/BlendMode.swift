// How what is drawn meets what is there.

import CCairo

/// How a drawing is combined with what lies beneath it (`CGBlendMode`).
///
/// In the formulas R is the result, S what is drawn, D what is there, each with its alpha multiplied in; Sa and Da are
/// the alphas. A PDF keeps the modes up to `luminosity` as its own; those that follow have no name in PDF, and the area
/// they touch becomes pixels at 300 dpi there. `sourceIn`, `sourceOut`, `destinationIn` and `destinationAtop` act within
/// a filled shape or an image; of lines and text they act on the whole clip.
public enum BlendMode: Hashable, Sendable, CaseIterable {
    /// S over D.
    case normal
    /// S × D: never lighter.
    case multiply
    /// The inverse of the product of the inverses: never darker.
    case screen
    /// `multiply` where D is dark, `screen` where it is light.
    case overlay
    /// The darker of both, component by component.
    case darken
    /// The lighter of both, component by component.
    case lighten
    /// D lightened by S.
    case colorDodge
    /// D darkened by S.
    case colorBurn
    /// D softly darkened or lightened by S.
    case softLight
    /// `multiply` where S is dark, `screen` where it is light.
    case hardLight
    /// The distance between both.
    case difference
    /// As `difference`, with less contrast.
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
    /// R = S × (1 − Da) + D: beneath what is there.
    case destinationOver
    /// R = D × Sa.
    case destinationIn
    /// R = D × (1 − Sa).
    case destinationOut
    /// R = S × (1 − Da) + D × Sa.
    case destinationAtop
    /// R = S × (1 − Da) + D × (1 − Sa).
    case xor
    /// R = S + D − 1 in each component, at least 0; meant for opaque paper.
    case plusDarker
    /// R = S + D, at most 1.
    case plusLighter
}

extension BlendMode {
    /// The operator that does it; `plusDarker` has none and is put together of others.
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

    /// Whether a PDF can say it; all else is put together of pixels there.
    var isKnownToPDF: Bool {
        switch self {
        case .clear, .copy, .sourceIn, .sourceOut, .sourceAtop, .destinationOver, .destinationIn, .destinationOut,
            .destinationAtop, .xor, .plusDarker, .plusLighter:
            false
        default: true
        }
    }

    /// Whether cairo's operator also changes what lies outside of the shape.
    var reachesBeyondShape: Bool {
        [.sourceIn, .sourceOut, .destinationIn, .destinationAtop].contains(self)
    }
}
