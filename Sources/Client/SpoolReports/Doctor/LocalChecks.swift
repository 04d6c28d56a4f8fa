// Runs the checks of `printq doctor` that need no printd.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
import SpoolerClient

/// The checks of the spool's folder and of this machine.
///
/// The checks read files and start no program.
struct LocalChecks {
    let place: SpoolLocation
    /// Whether printd accepts connections on the spool's socket.
    let isRunning: Bool
    /// The warning about unfinished jobs in another spool; nil if no other spool has unfinished jobs.
    let otherJobs: String?
    /// The current time, in seconds since 1970.
    var now = UnixTime(time(nil))

    /// Runs all checks of the spool's folder and of this machine.
    func findings() -> [HealthFinding] {
        var findings = [selection, folder]
        if !isRunning { findings += [daemon] + (socket.map { [$0] } ?? []) }
        findings += [space, otherSpools, programs, clock, administrators]
        return findings
    }

    // MARK: - The spool

    private var selection: HealthFinding {
        if let note = place.replacementNote {
            return HealthFinding(.spool, "spool-selection", .warning, note)
        }
        return HealthFinding(.spool, "spool-selection", .ok, "printq uses the spool \(place.text)")
    }

    private var folder: HealthFinding {
        func finding(_ state: HealthFinding.State, _ message: String, _ advice: String? = nil) -> HealthFinding {
            HealthFinding(.spool, "spool-folder", state, message, advice: advice)
        }
        var status = stat()
        guard stat(place.path, &status) == 0 else {
            let code = errno
            guard code == ENOENT else {
                return finding(
                    .error, "cannot read the spool '\(place.path)': \(String(cString: strerror(code)))",
                    "use another spool with --spool FOLDER")
            }
            return finding(.ok, "the spool \(place.path) does not exist yet; the first print job creates the spool")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return finding(.error, "'\(place.path)' is not a folder", "use another spool with --spool FOLDER")
        }
        let owner = Self.name(ofUser: status.st_uid)
        if ![0, status.st_uid].contains(geteuid()), !place.isSystem, !isRunning {
            return finding(
                .error, "the spool '\(place.path)' belongs to \(owner), so printq cannot start printd",
                "use another spool with --spool FOLDER")
        }
        if status.st_mode & 0o077 != 0 {
            return finding(
                .warning, "the spool \(place.path) is accessible to other users (mode \(Self.octal(status.st_mode)))",
                "chmod 700 '\(place.path)'")
        }
        return finding(
            .ok, "the spool \(place.path.printable) belongs to \(owner) (mode \(Self.octal(status.st_mode)))")
    }

    private var daemon: HealthFinding {
        HealthFinding(
            .daemon, "printd", .warning, "printd is not running on this spool, so the printers were not checked",
            advice: place.startAdvice)
    }

    /// The check result for the spool's socket while printd is not running; nil if the socket does not exist.
    private var socket: HealthFinding? {
        var status = stat()
        guard lstat(place.socket, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            return HealthFinding(
                .daemon, "socket", .error, "'\(place.socket)' is not a socket, so printd cannot listen",
                advice: "move the file to another folder")
        }
        return HealthFinding(
            .daemon, "socket", .ok, "no process listens on the socket \(place.socket); printd will replace the socket")
    }

    private var space: HealthFinding {
        guard let space = DiskSpace(of: place.path) else {
            return HealthFinding(.spool, "disk-space", .error, "cannot read the free space of the spool's disk")
        }
        let free = space.free >> 20
        return free < 100
            ? HealthFinding(
                .spool, "disk-space", .warning, "only \(free) MiB are free for the spool",
                advice: "free some disk space; otherwise printd will refuse jobs")
            : HealthFinding(.spool, "disk-space", .ok, "\(free) MiB are free for the spool")
    }

    private var otherSpools: HealthFinding {
        otherJobs.map { HealthFinding(.spool, "other-spools", .warning, $0) }
            ?? HealthFinding(.spool, "other-spools", .ok, "you have no unfinished jobs in other spools of this machine")
    }

    // MARK: - The machine

    /// The names of the internal programs of printq, each with a value that is true if printing requires the program.
    private static let internalPrograms = [
        ("printd", true), ("print-worker", true), ("print-launcher", false), ("print-office", false),
        ("print-preview", false), ("print-fetch", false), ("print-tunnel", false), ("print-test-page", false),
        ("printsim", false),
    ]

    private var programs: HealthFinding {
        let missing = Self.internalPrograms.filter { Programs.find($0.0) == nil }
        guard !missing.isEmpty else {
            return HealthFinding(.system, "programs", .ok, "all programs of printq \(Release.version) are installed")
        }
        return HealthFinding(
            .system, "programs", missing.contains { $0.1 } ? .error : .warning,
            "cannot find \(missing.map(\.0).joined(separator: ", "))",
            advice: "install the packages printd, printsim and printq-office, or put the programs into the folder of "
                + "printq")
    }

    /// The earliest plausible time of the clock, 2025-01-01.
    private static let earliest: UnixTime = 1_735_689_600  // 2025-01-01

    private var clock: HealthFinding {
        let words = "the clock shows \(LocalTime.universal(now))"
        guard now >= Self.earliest else {
            return HealthFinding(
                .system, "clock", .error, "\(words), so hold times and the history are incorrect",
                advice: "set the clock, for example with 'timedatectl set-ntp true'")
        }
        var status = stat()
        if stat("\(place.path)/spool.sqlite-wal", &status) == 0, UnixTime(status.st_mtim.tv_sec) > now + 300 {
            return HealthFinding(
                .system, "clock", .warning,
                "\(words), but the last change of the spool was later, at "
                    + LocalTime.universal(UnixTime(status.st_mtim.tv_sec)),
                advice: "set the clock, for example with 'timedatectl set-ntp true'")
        }
        return HealthFinding(.system, "clock", .ok, words)
    }

    private var administrators: HealthFinding {
        let user = Self.name(ofUser: geteuid())
        guard let group = getgrnam("lpadmin")?.pointee else {
            return HealthFinding(
                .system, "administrators", place.isSystem ? .warning : .ok,
                "the group lpadmin does not exist, so only root and the user who runs printd can administer the "
                    + "printers",
                advice: place.isSystem ? "'addgroup --system lpadmin' creates the group" : nil)
        }
        let isMember = Self.groups().contains(group.gr_gid) || geteuid() == 0
        return HealthFinding(
            .system, "administrators", .ok,
            "administrators are root, the user who runs printd and the group lpadmin; \(user) is "
                + (isMember ? "an administrator" : "not in the group"))
    }

    // MARK: - Users

    private static func groups() -> Set<gid_t> {
        var list = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(Int32(list.count), &list)
        return Set(list.prefix(max(0, Int(count))) + [getegid()])
    }

    private static func name(ofUser id: uid_t) -> String {
        getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "user \(id)"
    }

    private static func octal(_ mode: mode_t) -> String { "0" + String(mode & 0o7777, radix: 8) }
}
