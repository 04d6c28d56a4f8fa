// Standard output and standard error.

import Glibc
import PrintqOutput
import SpoolerClient

/// Output to standard output and standard error.
enum StandardOutput {
    /// The width of standard output in columns; nil if it is not a terminal.
    static var width: Int? { width(of: STDOUT_FILENO) }

    /// The width of standard error in columns; nil if it is not a terminal.
    static var progressWidth: Int? { width(of: STDERR_FILENO) }

    /// Whether headings are bold: only on a terminal, and without `NO_COLOR` (no-color.org).
    static var isStyled: Bool { isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

    /// Writes to standard output.
    ///
    /// If the reader has closed standard output, the program ends without a message.
    static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Writes text to standard error without changes.
    static func show(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Writes a message to standard error, after `printq: `.
    static func complain(_ message: String) { show("printq: \(message)\n") }

    /// Writes a table to standard output, or `whenEmpty` if the table has no rows.
    static func print(_ table: TextTable, whenEmpty: String) {
        print(table.isEmpty ? whenEmpty + "\n" : table.text(width: width, bold: isStyled))
    }

    /// Writes one of several tables that share their columns to standard output.
    ///
    /// - Parameter widths: The widths of the columns so far; nil for the first table.
    static func print(_ table: TextTable, following widths: inout [Int]?) {
        print(table.text(following: &widths, width: width, bold: isStyled))
    }

    /// Writes a JSON value to standard output.
    static func print(_ json: JSONText) { print(json.text + "\n") }

    private static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let code = errno
                if descriptor == STDOUT_FILENO, code != EPIPE {
                    complain("cannot write to standard output: \(String(cString: strerror(code)))")
                }
                if descriptor == STDOUT_FILENO { exit(SpoolerClientError.Code.output.exitCode) }
                return
            }
        }
    }
}
