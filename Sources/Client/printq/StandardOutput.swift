// Standard output and standard error.

import CommandLineErrors
import Glibc
import PrintqOutput
import SafeFiles
import SpoolerClient

/// A namespace for functions that write to standard output and standard error.
enum StandardOutput {
    /// The width of standard output in columns; nil if standard output is not a terminal.
    static var width: Int? { width(of: STDOUT_FILENO) }

    /// The width of standard error in columns; nil if standard error is not a terminal.
    static var progressWidth: Int? { width(of: STDERR_FILENO) }

    /// Whether headings are bold and states have colors by default.
    ///
    /// The value is true only on a terminal, if `NO_COLOR` is unset or empty (no-color.org) and `TERM` is not `dumb`.
    static var isStyled: Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }

    /// Writes text to standard output.
    ///
    /// A terminal receives no commands of the text except colors. If the reader has closed standard output, the
    /// program ends without a message, as `ls | head` does.
    static func print(_ text: String) { write(text.shown(on: STDOUT_FILENO), to: STDOUT_FILENO) }

    /// Writes an image or another sequence of terminal commands to standard output.
    static func write(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

    /// Writes text to standard error without changes.
    static func show(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes a message to standard error, with the prefix `printq: `.
    static func complain(_ message: String) { show("printq: \(message)\n".shown(on: STDERR_FILENO)) }

    /// Writes a table to standard output.
    ///
    /// If the table has no rows, the function writes the text `whenEmpty`.
    static func print(_ table: TextTable, whenEmpty: String, isStyled: Bool = isStyled) {
        print(table.isEmpty ? whenEmpty + "\n" : table.text(width: width, isStyled: isStyled))
    }

    /// Writes a table that continues earlier tables to standard output.
    ///
    /// All these tables have the same column widths.
    ///
    /// - Parameter form: The column widths of the earlier tables; nil for the first table.
    static func print(_ table: TextTable, following form: inout TextTable.Form?, isStyled: Bool) {
        print(table.text(following: &form, width: width, isStyled: isStyled))
    }

    /// Writes a JSON value to standard output.
    static func print(_ json: JSONText) { print(json.text + "\n") }

    private static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        do throws(SystemFailure) { try FileBytes.write(bytes, to: descriptor) } catch {
            guard descriptor == STDOUT_FILENO else { return }
            if error.number == EPIPE { ClosedOutput.end() }
            complain("cannot write to standard output: \(error)")
            exit(SpoolerClientError.Code.output.exitCode)
        }
    }
}
