// The private folder of a process, and the environment that keeps LibreOffice inside it.

import FoundationEssentials
import Glibc
import PrintModel

/// The private folder of one conversion, which `OfficePool` creates and removes.
///
///     in/      the document; the process can read it
///     work/    profile, temporary files and the PDF; the only folder in which the process can write
///     share/   links to LibreOffice's own files, if the installation is incomplete
struct OfficePlace {
    let folder: String

    init(arguments: [String]) throws(WorkError) { folder = try PrintOffice.argument("--place") }

    var work: String { folder + "/work" }
    private var share: String { folder + "/share" }

    /// The URL of LibreOffice's user profile.
    var profileURL: String { Self.url(work + "/profile") }

    /// Returns the paths that the sandbox lets LibreOffice read, in addition to libraries and fonts.
    func readable(for program: String) -> [String] {
        [
            Self.parent(of: program), folder + "/in", share,
            "/etc/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice", "/dev/null",
        ]
    }

    /// Sets the environment variables for LibreOffice and creates the links, before the process enters its sandbox.
    func prepare(for program: String) throws(WorkError) {
        let environment = [
            "HOME": work, "TMPDIR": work, "XDG_CACHE_HOME": work + "/cache", "XDG_CONFIG_HOME": work + "/config",
            // Draw without a display, and ask neither for printers nor for graphics processors.
            "SAL_USE_VCLPLUGIN": "svp", "SAL_DISABLE_PRINTERLIST": "1", "SAL_DISABLE_DEFAULTPRINTER": "1",
            "SAL_DISABLE_OPENCL": "1", "SAL_DISABLESKIA": "1",
        ]
        for (name, value) in environment { setenv(name, value, 1) }
        let tree = ShareTree(installation: Self.parent(of: program), folder: share)
        if tree.isNeeded {
            try tree.create()
            setenv("BRAND_SHARE_SUBDIR", tree.pathFromInstallation, 1)
        }
    }

    /// Writes the settings of LibreOffice's user profile.
    ///
    /// The process has already entered the sandbox. Therefore the files belong to the user of the process.
    func createProfile() throws(WorkError) {
        let user = work + "/profile/user"
        for folder in [work + "/profile", user, user + "/basic", user + "/basic/Standard"]
        where mkdir(folder, 0o700) != 0 {
            throw Self.failed("creating '\(folder)'", errno)
        }
        let files =
            [("registrymodifications.xcu", OfficeProfile.settings)]
            + OfficeMacros.files.map { ("basic/" + $0.path, $0.content) }
        do {
            for (path, content) in files {
                try Data(content.utf8).write(to: URL(filePath: user + "/" + path))
            }
        } catch {
            throw WorkError(
                .workerUnavailable, "cannot write the settings of LibreOffice; check the free disk space",
                detail: "\(error)")
        }
    }

    /// Returns the URL of an absolute path.
    static func url(_ path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array("file://".utf8)
        for byte in path.utf8 {
            bytes +=
                plain.contains(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func parent(of path: String) -> String { WorkerRequest.folder(of: path) }

    static func failed(_ action: String, _ code: CInt) -> WorkError {
        WorkError(
            .workerUnavailable, "cannot use the folder for converting Office documents; check the free disk space",
            detail: "\(action): \(String(cString: strerror(code)))")
    }
}
