// Completes an installation of LibreOffice Calc that lacks a file of the user interface.

import FoundationEssentials
import Glibc
import PrintModel

/// A folder of links to LibreOffice's folder `share`, with one additional file.
///
/// LibreOffice Calc loads its input bar with every document, even without a user interface. The Debian package
/// `libreoffice-calc-nogui` lacks the file that describes the input bar. Without the additional file, LibreOffice
/// cannot load any spreadsheet.
struct ShareTree {
    /// The path of LibreOffice's folder, such as `/usr/lib/libreoffice`.
    let installation: String
    /// The path of the folder with the links.
    let folder: String

    private static let folders = ["config", "soffice.cfg", "modules", "scalc", "ui"]
    private static let file = "inputbar.ui"

    /// Whether Calc is installed without the file that describes its input bar.
    var isNeeded: Bool {
        access(installation + "/program/libsclo.so", F_OK) == 0
            && access(installation + "/share/" + Self.folders.joined(separator: "/") + "/" + Self.file, F_OK) != 0
    }

    /// The relative path from LibreOffice's folder to the folder of links (`BRAND_SHARE_SUBDIR`).
    var pathFromInstallation: String {
        installation.split(separator: "/").map { _ in "../" }.joined() + folder.dropFirst()
    }

    /// Creates the folder, the links and the additional file.
    func create() throws(WorkError) {
        var (original, copy) = (installation + "/share", folder)
        try makeFolder(copy)
        for name in Self.folders {
            try link(entriesOf: original, except: name, in: copy)
            original += "/" + name
            copy += "/" + name
            try makeFolder(copy)
        }
        try link(entriesOf: original, except: Self.file, in: copy)
        let path = copy + "/" + Self.file
        do { try Data(Self.inputBar.utf8).write(to: URL(filePath: path)) } catch {
            throw WorkError(
                .workerUnavailable, "cannot write an additional file for LibreOffice; check the free disk space",
                detail: "\(error)")
        }
        chmod(path, 0o644)
    }

    private func makeFolder(_ path: String) throws(WorkError) {
        guard mkdir(path, 0o755) == 0, chmod(path, 0o755) == 0 else {
            throw OfficePlace.failed("creating '\(path)'", errno)
        }
    }

    private func link(entriesOf original: String, except name: String, in copy: String) throws(WorkError) {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: original)) ?? [] where entry != name {
            guard symlink(original + "/" + entry, copy + "/" + entry) == 0 else {
                throw OfficePlace.failed("linking '\(entry)'", errno)
            }
        }
    }

    /// The widgets that Calc requires in its input bar.
    private static let inputBar = """
        <?xml version="1.0" encoding="UTF-8"?>
        <interface>
          <object class="GtkGrid" id="InputBar">
            <child>
              <object class="GtkButton" id="down"/>
            </child>
            <child>
              <object class="GtkButton" id="up"/>
            </child>
            <child>
              <object class="GtkBox" id="background">
                <child>
                  <object class="GtkScrolledWindow" id="scrolledwindow">
                    <child>
                      <object class="GtkViewport">
                        <child>
                          <object class="GtkDrawingArea" id="sc_input_window"/>
                        </child>
                      </object>
                    </child>
                  </object>
                </child>
              </object>
            </child>
          </object>
        </interface>

        """
}
