// The options for colors and times of the lists.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrintqOutput

/// The cases in which the output has colors.
enum ColorUse: String, ExpressibleByArgument, CaseIterable {
    /// Colors only on a terminal. Colors are omitted if `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
    case auto
    /// Colors in all output, including files and pipes.
    case always
    /// No colors in any output.
    case never

    // The implementations for all enumerations are slower, because they call each other through protocols.
    static var allValueStrings: [String] { ["auto", "always", "never"] }
    static var allValueDescriptions: [String: String] { [:] }

    /// Whether headings are bold, and states have colors.
    var isStyled: Bool {
        switch self {
        case .auto: StandardOutput.isStyled
        case .always: true
        case .never: false
        }
    }
}

extension TimeStyle {
    /// Returns the form in which times are shown.
    ///
    /// The form is relative on a terminal, unless the user chooses absolute times.
    static func chosen(absolute: Bool) -> TimeStyle {
        absolute || StandardOutput.width == nil ? .absolute : .relative
    }
}

extension ArgumentHelp {
    static var color: ArgumentHelp {
        ArgumentHelp("Shows states in color: auto, always or never.", valueName: "when")
    }

    static var absolute: ArgumentHelp {
        "Shows times as 18:30 or 2030-01-31 18:30, instead of '2 min ago' on a terminal."
    }
}

/// The option that determines whether states are shown in color.
struct ColorChoice: ParsableArguments {
    @Option(help: .color)
    var color = ColorUse.auto
}

/// The option that determines how times are shown.
struct TimeChoice: ParsableArguments {
    @Flag(help: .absolute)
    var absolute = false
}
