// Writes the support bundle of `printq doctor --bundle`.

import FoundationEssentials
import Glibc
import IPP
import PrintIPP
package import PrintModel
import PrintqOutput
import ProcessLaunch
import SafeFiles
package import SpoolerClient

/// A compressed archive that describes a spool and its machine, for people who analyze a problem.
///
/// The archive never contains documents, passwords, tokens, sessions or the database. The archive contains names of
/// users, jobs and documents only if the user requests these names.
package struct SupportBundle: Sendable {
    private let place: SpoolLocation
    private let keepsNames: Bool
    private let now: UnixTime

    package let path: String

    /// Creates a bundle of a spool; `write` creates the archive file.
    ///
    /// - Parameters:
    ///   - path: The path of the archive. If the path is empty, the archive is created in the working directory, with
    ///     the current time in its name.
    ///   - keepsNames: Whether the archive contains names of users, jobs and documents.
    package init(of place: SpoolLocation, path: String, keepsNames: Bool, now: UnixTime) {
        (self.place, self.keepsNames, self.now) = (place, keepsNames, now)
        let digits = LocalTime.universal(now).filter(\.isNumber)
        name = "printq-support-\(digits.prefix(8))-\(digits.dropFirst(8))"
        self.path = path.isEmpty ? "\(name).tar.gz" : path
    }

    /// The name of the archive's top folder, which contains all files.
    private let name: String

    /// A file of the archive.
    package struct Entry: Sendable {
        /// The name of the file in the archive.
        package var name: String
        /// A short description of the file's content.
        package var description: String
        /// The content of the file, as text.
        var text: String
    }

    // MARK: - Writing

    /// Writes the archive, and returns its entries.
    ///
    /// The archive has mode 0600. An existing file is never replaced.
    ///
    /// - Parameter report: The results of `printq doctor`.
    /// - Throws: `SpoolerClientError` with `output` if the archive cannot be written.
    package func write(_ report: DoctorReport) async throws(SpoolerClientError) -> [Entry] {
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else {
            let code = errno
            throw SpoolerClientError(
                .output,
                code == EEXIST
                    ? "'\(path.printable)' already exists; choose another name with --bundle FILE"
                    : "cannot create '\(path.printable)': \(String(cString: strerror(code)))")
        }
        defer { close(target) }
        // The mode must not depend on the umask.
        fchmod(target, 0o600)
        do throws(SpoolerClientError) {
            let entries = await entries(report)
            try await archive(entries, to: target)
            return entries
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Archives the entries in a private folder, and copies the archive to the open file `target`.
    ///
    /// tar does not write directly to the path of the archive, because another user could have replaced the file at
    /// this path.
    private func archive(_ entries: [Entry], to target: Int32) async throws(SpoolerClientError) {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/printq-support-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SpoolerClientError(.output, "cannot create a temporary folder: \(String(cString: strerror(errno)))")
        }
        let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            for entry in entries {
                try Data(entry.text.utf8).write(to: URL(filePath: "\(folder)/\(name)/\(entry.name)"))
            }
        } catch {
            throw SpoolerClientError(.output, "cannot write to '\(folder)'; free some disk space", cause: error)
        }
        let archive = "\(folder)/bundle.tar.gz"
        let arguments = [
            "--create", "--gzip", "--file", archive, "--directory", folder, "--owner=0", "--group=0",
            "--numeric-owner", "--mode=go-rwx", name,
        ]
        let code: Int32
        do throws(LaunchError) {
            code = try await Programs.run("tar", arguments, log: "\(folder)/tar.err", within: .seconds(60))
        } catch {
            throw SpoolerClientError(.output, "\(error.description); install tar and gzip", cause: error)
        }
        guard code == 0, let bytes = FileManager.default.contents(atPath: archive) else {
            throw SpoolerClientError(.output, "tar failed with code \(code); free some disk space in '\(folder)'")
        }
        try Self.write(Array(bytes), to: target, path)
    }

    private static func write(_ bytes: [UInt8], to target: Int32, _ path: String) throws(SpoolerClientError) {
        do throws(SystemFailure) {
            try FileBytes.write(bytes, to: target)
            try SystemFailure.check(fsync(target))
        } catch {
            throw SpoolerClientError(.output, "cannot write '\(path.printable)': \(error)")
        }
    }

    // MARK: - Contents

    /// Returns the files of the archive.
    ///
    /// The texts of the files contain no secrets. The texts contain names only if the bundle keeps names.
    private func entries(_ report: DoctorReport) async -> [Entry] {
        let queue = Spooler(withoutStarting: place)
        let status = try? await SpoolStatus(of: queue, now: now)
        let redaction = await redaction(queue, status)
        func entry(_ name: String, _ description: String, _ json: JSONText) -> Entry {
            Entry(name: name, description: description, text: redaction.json(json).text + "\n")
        }
        var entries = [
            entry("doctor.json", "the results of printq doctor", report.json),
            entry(
                "system.json", "versions of programs, libraries, kernel and distribution; limits of printd",
                SystemFacts.json(server: status?.server)),
            entry("settings.json", "the settings of printd", settings),
        ]
        if let status {
            entries.append(entry("status.json", "the state of printd, the jobs and the disk", self.status(status)))
            entries.append(
                entry("printers.json", "the printers, without passwords", .array(status.printers.map(printer))))
            let events = await events(queue).map { redaction.json($0).compactText + "\n" }
            entries.append(
                Entry(name: "events.jsonl", description: "the last \(events.count) events", text: events.joined()))
        }
        let log = await log().map { redaction.text($0) + "\n" }
        entries.append(
            Entry(name: "printd.log", description: "the last \(log.count) lines of the log", text: log.joined()))
        let list = entries.map { "\($0.name): \($0.description)\n" }.joined()
        let readme = Entry(
            name: "README.txt", description: "this list",
            text: "Support bundle of printq \(Release.version), \(LocalTime.universal(now))\n\n\(list)\n"
                + "Documents, passwords, tokens and sessions are not included.\n"
                + (keepsNames
                    ? "Names of users, jobs and documents are included.\n"
                    : "Names of users are replaced by [user], and names of jobs and documents by [job].\n"))
        return [readme] + entries
    }

    /// The settings files, with their values but without their comments.
    private var settings: JSONText {
        .array(
            place.settingsFiles.compactMap { path in
                SettingsText.read(path).map { .object([("file", .string(path)), ("settings", $0)]) }
            })
    }

    /// The maximum number of jobs whose names and owners are replaced in the texts.
    private static let searchedJobs = 1000

    /// Returns a filter for the names of the users and jobs in the spool.
    private func redaction(_ queue: Spooler, _ status: SpoolStatus?) async -> Redaction {
        var users = Self.accounts().union([queue.user])
        var jobs: Set<String> = []
        if status != nil {
            let groups = try? await queue.jobs(
                JobListQuery(.all, limit: Self.searchedJobs), ["job-name", "job-originating-user-name"])
            for group in groups ?? [] {
                if let name = group.string("job-name") { jobs.insert(name) }
                if let owner = group.string("job-originating-user-name") { users.insert(owner) }
            }
        }
        for printer in status?.printers ?? [] {
            for name in PolicyList.attributeNames {
                users.formUnion(printer.strings(name).filter { !["all", "none"].contains($0) })
            }
        }
        return Redaction(users: users, jobs: jobs, keepsNames: keepsNames)
    }

    /// Returns the names of this machine's user accounts, without system accounts.
    private static func accounts() -> Set<String> {
        let text = FileManager.default.contents(atPath: "/etc/passwd").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let people = text.split(separator: "\n").filter { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            return fields.count > 2 && Int(fields[2]).map { (1000..<60_000).contains($0) } ?? false
        }
        return Set(people.compactMap { $0.split(separator: ":").first.map(String.init) })
    }

    /// Returns the state of the spool without the printers.
    ///
    /// Unless the bundle keeps names, the jobs have no names and no owners.
    private func status(_ status: SpoolStatus) -> JSONText {
        guard case .object(let members) = status.json else { return .null }
        return .object(
            members.filter { $0.name != "printers" }.map { name, value in
                guard case .array(let jobs) = value, ["jobs", "errors"].contains(name) else {
                    return (name, name == "oldest-waiting-job" ? bare(value) : value)
                }
                return (name, .array(jobs.map(bare)))
            })
    }

    /// The names of the attributes that identify people or documents.
    private static let namingAttributes = Set(
        [
            "job-name", "job-originating-user-name", "document-name", "document-names", "printq-output-folder",
            "printq-output-file", "notify-text", "printer-info", "printer-location", "printq-user",
        ] + PolicyList.attributeNames)

    /// Returns an object without the members that identify people or documents.
    ///
    /// If the bundle keeps names, the object is unchanged.
    private func bare(_ value: JSONText) -> JSONText {
        guard !keepsNames, case .object(let members) = value else { return value }
        return .object(members.filter { !Self.namingAttributes.contains($0.name) })
    }

    private func printer(_ group: AttributeGroup) -> JSONText { bare(JSONText(group.attributes)) }

    /// The maximum number of events in the bundle.
    private static let mostEvents = 500

    private func events(_ queue: Spooler) async -> [JSONText] {
        guard let latest = try? await queue.printer(nil, ["printq-event-number"]).integer("printq-event-number")
        else { return [] }
        var events: [JSONText] = []
        let request = WatchRequest(after: max(0, Int(latest) - Self.mostEvents))
        try? await EventWatch(queue, request, notice: { _ in }).run {
            () async throws(SpoolerClientError) in
            false
        } onEvent: { (event: EventView) throws(SpoolerClientError) in
            if case .object(let members) = bare(event.json) { events.append(.object(members)) }
            return true
        }
        return events.suffix(Self.mostEvents)
    }

    /// The maximum number of log lines in the bundle.
    private static let mostLines = 1000

    /// The names of the log fields that stay in a bundle without names.
    private static let plainFields: Set<String> = [
        "job", "printer", "state", "pid", "count", "error", "reason", "message", "signal", "code", "attempt",
    ]

    private func log() async -> [String] {
        var lines: [String] = []
        let log = DaemonLog(of: place, DaemonLogFilter(limit: Self.mostLines))
        try? await log.read(follows: false) { entry in
            var entry = entry
            if !keepsNames { entry.fields.removeAll { !Self.plainFields.contains($0.name) } }
            let time = entry.time.map { LocalTime.universal($0) + " " } ?? ""
            entry.time = nil
            lines.append(time + entry.text(now: now))
        }
        return lines
    }
}
