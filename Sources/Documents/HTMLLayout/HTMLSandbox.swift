// Defines the sandbox of an HTML engine process. html-sandbox.py reads it.

import CSandbox
import FoundationEssentials
import Glibc
import ProcessPools

/// The resources that a document is allowed to load.
///
/// A process of the engine serves only documents with the same access rights.
struct HTMLAccess: Hashable, Sendable {
    /// The absolute path of the folder below which the engine can read files; nil for no file access.
    var base: String?
    /// Whether network access is allowed.
    var network = false
    /// The user of the sandboxed process if root starts the process; nil to keep the user.
    var user: WorkerUser?
    /// The owner of the converted documents; nil if the process has served no document of a known owner.
    ///
    /// A document can compromise the process. Therefore the process must not receive documents of another owner.
    var owner: String?

    /// Access rights that allow no access to files or to the network.
    static let none = HTMLAccess(base: nil, network: false)
}

/// The sandbox rules for a process: CSandbox's system call filter and Landlock.
struct HTMLSandbox: Encodable {
    let abi: Int
    let files, net, scoped, reading, writing, ofFiles: UInt64
    let readable: [String]
    let writable: [String]
    /// The user and group to which the process changes.
    let user, group: UInt32?
    /// The instructions of the system call filter, encoded in base64.
    let filter: String

    /// Creates the sandbox rules for a process.
    ///
    /// - Parameters:
    ///   - process: The process ID of the sandboxed process.
    ///   - temporary: The only folder in which the sandboxed process can write.
    init(process: Int32, access: HTMLAccess, engine: String, temporary: String) {
        let rights = sandbox_landlock_rights(access.network ? 1 : 0)
        abi = Int(rights.abi)
        (files, net, scoped) = (rights.files, rights.net, rights.scoped)
        (reading, writing, ofFiles) = (rights.reading, rights.writing, rights.of_files)
        var code = [UInt64](repeating: 0, count: Int(SANDBOX_LONGEST_FILTER))
        let count = sandbox_filter(process, access.network ? 1 : 0, &code)
        filter = code[..<count].withUnsafeBytes { Data($0) }.base64EncodedString()
        readable =
            Self.system + (access.network ? Self.network : []) + Self.personal + [engine]
            + [access.base].compactMap(\.self)
        writable = [temporary, "/dev/null"]
        (user, group) = (access.user?.user, access.user?.group)
    }

    /// The system files that Python, Pango and WeasyPrint read.
    private static let system = [
        "/usr", "/lib", "/lib32", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/locale.alias",
        "/etc/mime.types", "/etc/alternatives", "/var/cache/fontconfig", "/dev/zero", "/dev/random", "/dev/urandom",
        "/proc/self", "/sys/devices/system/cpu",
    ]

    /// The system files for host name lookup and certificate checks.
    private static var network: [String] {
        let named = ["SSL_CERT_FILE", "SSL_CERT_DIR"].compactMap(value)
        return named + [
            "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services",
            "/etc/protocols", "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/run/systemd/resolve",
        ]
    }

    /// The user's fonts and font configuration.
    private static var personal: [String] {
        var paths = ["FONTCONFIG_FILE", "FONTCONFIG_PATH"].compactMap(value)
        let home = value("HOME")
        if let home { paths.append("\(home)/.fonts") }
        if let data = value("XDG_DATA_HOME") ?? home.map({ "\($0)/.local/share" }) { paths.append("\(data)/fonts") }
        if let settings = value("XDG_CONFIG_HOME") ?? home.map({ "\($0)/.config" }) {
            paths.append("\(settings)/fontconfig")
        }
        if let cache = value("XDG_CACHE_HOME") ?? home.map({ "\($0)/.cache" }) { paths.append("\(cache)/fontconfig") }
        return paths
    }

    private static func value(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
