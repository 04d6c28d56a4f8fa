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
}

/// The option that determines whether states are shown in color.
struct ColorChoice: ParsableArguments {
    @Option(help: ArgumentHelp("Shows states in color: auto, always or never.", valueName: "when"))
    var color = ColorUse.auto

    /// Whether headings are bold, and states have colors.
    var isStyled: Bool {
        switch color {
        case .auto: StandardOutput.isStyled
        case .always: true
        case .never: false
        }
    }
}

/// The option that determines how times are shown.
struct TimeChoice: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Shows times as 18:30 or 2030-01-31 18:30, instead of '2 min ago' on a terminal."))
    var absolute = false

    /// The form in which times are shown.
    ///
    /// The form is relative on a terminal, unless the user chooses absolute times.
    var style: TimeStyle { absolute || StandardOutput.width == nil ? .absolute : .relative }
}
