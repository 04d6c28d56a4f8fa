// What a process of the HTML engine may still touch, as html-sandbox.py reads it.

import CSandbox
import FoundationEssentials
import Glibc

/// What a document may be made of beside itself; a process of the engine serves documents with the same access only.
struct HTMLAccess: Hashable, Sendable {
    /// The folder below which files may be read, as an absolute path; nil for none.
    var base: String?
    /// Whether the network may be reached.
    var network: Bool

    /// Nothing but the document itself.
    static let none = HTMLAccess(base: nil, network: false)
}

/// The rules by which a process locks itself in: CSandbox's filter of system calls and Landlock.
struct HTMLSandbox: Encodable {
    let abi: Int
    let files, net, scoped, reading, writing, ofFiles: UInt64
    let readable: [String]
    let writable: [String]
    /// The instructions of the filter, in base64.
    let filter: String

    /// The rules for a process.
    ///
    /// - Parameters:
    ///   - process: The number of the process that locks itself in.
    ///   - temporary: The folder that it may write to.
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
    }

    /// What Python, Pango and WeasyPrint read of the system.
    private static let system = [
        "/usr", "/lib", "/lib32", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/locale.alias",
        "/etc/mime.types", "/etc/alternatives", "/var/cache/fontconfig", "/dev/zero", "/dev/random", "/dev/urandom",
        "/proc/self", "/sys/devices/system/cpu",
    ]

    /// What finding a host and checking its certificate takes.
    private static var network: [String] {
        let named = ["SSL_CERT_FILE", "SSL_CERT_DIR"].compactMap(value)
        return named + [
            "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services",
            "/etc/protocols", "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/run/systemd/resolve",
        ]
    }

    /// The fonts of the user, and where they are configured.
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
