// Opens an address in the browser of the user's desktop, and shows messages on the desktop.

import FoundationEssentials
import Glibc
import ProcessLaunch
import SpoolerClient

/// The browser of the user's desktop.
enum DesktopBrowser {
    /// Opens an address with `xdg-open`.
    ///
    /// This function does nothing without a desktop, for example in an ssh session.
    ///
    /// - Returns: The reason why the browser cannot be opened; nil if the browser was started or there is no desktop.
    static func open(_ address: String) -> String? {
        guard Desktop.isPresent else { return nil }
        guard let program = Desktop.path(of: "xdg-open") else {
            return "cannot open a browser: xdg-open is not installed; open the address manually, "
                + "or run 'apt install xdg-utils'"
        }
        do throws(LaunchError) {
            _ = try DetachedProcess(program: program, arguments: [address], log: "/dev/null")
            return nil
        } catch {
            return "cannot start '\(program)': \(error); open the address in a browser"
        }
    }
}

/// A notification on the user's desktop (freedesktop.org Desktop Notifications), shown by `notify-send`.
struct DesktopNotification {
    private let program: String

    /// Finds the program `notify-send`.
    ///
    /// - Throws: `SpoolerClientError` if the program is not installed.
    init() throws(SpoolerClientError) {
        guard let program = Desktop.path(of: "notify-send") else {
            throw SpoolerClientError(
                .unavailable, "cannot show notifications: notify-send is not installed; run 'apt install libnotify-bin'"
            )
        }
        self.program = program
    }

    /// Shows a text in the user's session.
    ///
    /// A second notification with the same identifier replaces the first.
    func show(_ text: String, title: String = "Print Center", id: Int? = nil) {
        var arguments = ["--app-name=printq", "--icon=printer"]
        if let id { arguments.append("--replace-id=\(id)") }
        _ = try? DetachedProcess(program: program, arguments: arguments + ["--", title, text], log: "/dev/null")
    }

    /// Shows a text if nobody can read the output of the program, which was started from the desktop's menu.
    ///
    /// This function does nothing in a terminal, without a desktop, and if `notify-send` is not installed.
    static func showWithoutTerminal(_ text: String) {
        let hasTerminal = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 }
        guard !hasTerminal, Desktop.isPresent else { return }
        try? DesktopNotification().show(text)
    }
}

/// The user's desktop.
private enum Desktop {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether the program runs on a desktop, and not for example in an ssh session.
    static var isPresent: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    }

    /// Returns the path of a program in the folders of `PATH`; nil if the program is not installed.
    static func path(of program: String) -> String? {
        (environment["PATH"] ?? "/usr/bin").split(separator: ":").map { "\($0)/\(program)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
