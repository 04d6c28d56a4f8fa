// Opens an address in the browser of the user's desktop.

import FoundationEssentials
import ProcessLaunch

/// The browser of the user's desktop.
enum DesktopBrowser {
    /// Opens an address with `xdg-open`.
    ///
    /// This function does nothing without a desktop, for example in an ssh session.
    ///
    /// - Returns: The reason why the browser cannot be opened; nil if the browser was started or there is no desktop.
    static func open(_ address: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        guard hasDesktop else { return nil }
        let folders = (environment["PATH"] ?? "/usr/bin").split(separator: ":")
        guard
            let program = folders.map({ "\($0)/xdg-open" }).first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else {
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
