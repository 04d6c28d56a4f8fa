// Collects the versions of programs and libraries, and the limits of printd, for the support bundle.

import FoundationEssentials
import Glibc
import IPP
import PrintModel
import SpoolerClient
import ProcessLaunch

/// A namespace for functions that describe this machine and its printd.
enum SystemFacts {
    /// Returns a description of this machine and its printd as JSON.
    ///
    /// - Parameter server: The attributes of printd; nil if printd is not running.
    static func json(server: AttributeGroup?) -> JSONText {
        .object([
            ("printq-version", .string(Release.version)),
            ("printd-version", server?.string("printq-version").map { .string($0) } ?? .null),
            ("schema-version", server?.string("printq-schema-version").map { .string($0) } ?? .null),
            ("kernel", kernel), ("distribution", distribution),
            ("processors", .number(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
            ("programs", .object(programs)), ("packages", .object(packages)),
            ("printd-limits", limits(of: server?.integer("printq-process"))),
            ("printd-memory", memory(of: server?.integer("printq-process"))),
            ("locale", .string(variable("LC_ALL") ?? variable("LANG") ?? "")),
            ("time-zone", .string(variable("TZ") ?? "")),
        ])
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The name, release and architecture of the kernel, without the name of the machine.
    private static var kernel: JSONText {
        var names = utsname()
        guard uname(&names) == 0 else { return .null }
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return .string("\(text(names.sysname)) \(text(names.release)) \(text(names.machine))")
    }

    private static var distribution: JSONText {
        let line = text(of: "/etc/os-release").split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        return line.map { .string(String($0.dropFirst(12)).filter { $0 != "\"" }) } ?? .null
    }

    private static let internalPrograms = [
        "printd", "print-worker", "print-launcher", "print-office", "print-preview", "print-fetch", "print-tunnel",
        "print-test-page",
        "printsim",
    ]

    private static var programs: [(name: String, value: JSONText)] {
        internalPrograms.map { ($0, Programs.find($0).map { .string($0) } ?? .null) }
    }

    /// The names of the packages whose versions affect how documents are printed.
    private static let packageNames = [
        "printq", "printd", "printsim", "printq-office", "libc6", "libcups2", "libpoppler-glib8", "libpoppler-cpp0v5",
        "libcairo2", "libpango-1.0-0", "libqpdf29", "librsvg2-2", "libsqlite3-0", "libgnutls30", "ghostscript",
        "libreoffice-core", "libreoffice-core-nogui", "fonts-liberation2", "cups", "cups-daemon", "avahi-daemon",
        "systemd",
    ]

    /// The installed version of each package that affects printing, by package name; empty if `dpkg-query` is not
    /// installed.
    private static var packages: [(name: String, value: JSONText)] {
        let arguments = ["--show", "--showformat=${db:Status-Abbrev} ${Package} ${Version}\\n"] + packageNames
        guard
            let process = try? InteractiveProcess(
                program: "dpkg-query", arguments: arguments, environment: ["PATH=/usr/bin:/bin", "LC_ALL=C"],
                errors: "/dev/null")
        else { return [] }
        var packages: [(name: String, value: JSONText)] = []
        let end = ContinuousClock.now + .seconds(10)
        while let line = try? process.line(longest: 1000, until: end) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            if words.count == 3, words[0] == "ii" { packages.append((String(words[1]), .string(String(words[2])))) }
        }
        return packages
    }

    /// Returns the resource limits of a process (proc(5)).
    private static func limits(of process: Int32?) -> JSONText {
        guard let process else { return .null }
        return .strings(text(of: "/proc/\(process)/limits").split(separator: "\n").dropFirst().map(squeezed))
    }

    /// Returns the memory use and the number of threads of a process (proc(5)).
    private static func memory(of process: Int32?) -> JSONText {
        guard let process else { return .null }
        let wanted = ["VmPeak:", "VmRSS:", "Threads:"]
        return .strings(
            text(of: "/proc/\(process)/status").split(separator: "\n").filter { line in
                wanted.contains { line.hasPrefix($0) }
            }.map(squeezed))
    }

    private static func squeezed(_ line: Substring) -> String {
        line.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }

    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
