// The options that every command has, and the connection to the spooler.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrintqOutput
import PrintModel
import SpoolerClient

/// The spool that a command uses.
struct Session: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the spool (default: $PRINTQ_SPOOL, or the default spool if it is not set).",
            valueName: "folder"))
    var spool: String?

    /// The folder of the spool.
    var place: SpoolLocation {
        get throws(SpoolerClientError) {
            try SpoolLocation.current(named: spool)
        }
    }

    /// The daemon of the spool.
    var daemon: DaemonLauncher {
        get throws(SpoolerClientError) { DaemonLauncher(place: try place, program: DaemonLauncher.program()) }
    }

    /// The spooler of the spool.
    ///
    /// The first request starts printd if no process is listening on the spool's socket.
    var spooler: Spooler {
        get throws(SpoolerClientError) { Spooler(at: try place, onStart: Self.note) }
    }

    /// Prints the addresses of a printd that printq has started.
    ///
    /// If standard error is not a terminal, prints the addresses only if there is a problem.
    private static func note(_ start: DaemonLauncher.Start) {
        if start.problem != nil || StandardOutput.progressWidth != nil { StandardOutput.complain(start.words) }
    }

    /// The wall-clock time, in seconds since 1970.
    static var now: UnixTime { UnixTime(time(nil)) }
}

/// The printer that a command uses.
struct PrinterChoice: ParsableArguments {
    @Option(
        name: [.customShort("d"), .customShort("P"), .long],
        help: ArgumentHelp("The printer (see 'printq printers').", valueName: "name"))
    var printer: String?

    /// The name of the printer; nil for the default printer or for all printers.
    var name: String? {
        get throws(SpoolerClientError) { try printer.map(PrinterName.checked) }
    }
}

/// Names of printers.
enum PrinterName {
    /// Returns the name if it is a valid name of a printer.
    static func checked(_ name: String) throws(SpoolerClientError) -> String {
        guard ConfiguredPrinter.isValidName(name) else {
            throw SpoolerClientError(.usage, "there is no printer '\(name.printable)'; see 'printq printers'")
        }
        return name
    }
}

/// A job number on the command line: `12`, or `color-laser-12` as `lp` writes it.
struct JobID: ExpressibleByArgument {
    let number: Int

    init?(argument: String) {
        guard let last = argument.split(separator: "-", omittingEmptySubsequences: false).last,
            last.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int32(last), number > 0
        else { return nil }
        self.number = Int(number)
    }
}

/// The format of the output.
struct OutputChoice: ParsableArguments {
    @Flag(help: "Write JSON with IPP names.")
    var json = false
}
