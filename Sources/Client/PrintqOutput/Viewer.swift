// Opens files in the desktop's image viewer.

import ProcessLaunch
package import SpoolerClient

/// The desktop's default program for images.
package enum Viewer {
    /// Opens a file.
    ///
    /// - Throws: `SpoolerClientError` with `notDone` if the desktop cannot open the file.
    package static func open(_ path: String) throws(SpoolerClientError) {
        let isOpen = Programs.run("xdg-open", [path]) == 0
        guard isOpen else {
            throw SpoolerClientError(
                .notDone, "cannot open '\(path)' in a viewer; install xdg-utils, or open the file yourself")
        }
    }
}
