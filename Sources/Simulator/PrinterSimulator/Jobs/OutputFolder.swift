// The output folder of a printer: its jobs, its log and its persistent state.

import FoundationEssentials
import Glibc
import PrintModel

/// The output folder of one printer.
///
/// This type defines the layout of the folder.
///
///     incoming/            documents that are being received; emptied at start
///     removed/             pages of canceled jobs, which are being removed
///     job-000012/          request.ipp, original.pdf, page-0001.png …, sheets.pdf, job.json (`JobFolder` explains the
///                          number; requests and documents after the first have names such as request-2.ipp)
///     job-000012/unprinted rendered pages that are not printed yet
///     printer.log          one line of JSON for each job that ended
///     state.json           the printer's persistent state
///     state.json.old       the previous state; during a write, the next state
///     lock                 locked by the process that runs the printer (SimulatorServer)
struct OutputFolder: Sendable {
    let path: String
    private let remove: @Sendable (_ folder: String) -> Void

    /// The state that a switched-off printer keeps.
    struct Memory: Codable {
        /// The UUID (IPP `printer-uuid`), created when the printer is switched on for the first time.
        var uuid = Self.newUUID()
        var nextJobID = 1
        var isPaused = false
        /// Whether the printer refuses new jobs (IPP Disable-Printer).
        var isDisabled = false
        /// The attributes that an administrator has set (IPP Set-Printer-Attributes), by name.
        var settings: [String: String] = [:]
        var configurationChangedAt: UnixTime?
        /// The number of the newest job that was purged (IPP Purge-Jobs).
        ///
        /// The printer no longer lists ended jobs up to this number.
        var purgedThrough = 0
        var stock = Consumables()
        var printing: Progress?
        /// Whether the numbers in the names of `job-…` folders are the job numbers of a queue.
        var hasQueueFolders = false

        struct Progress: Codable {
            var job: Int
            var impressionsCompleted: Int
            var sheetsCompleted: Int
            var pieces: [RollPiece]?
        }

        init() {}

        /// The UUID must be unique in the network, because clients identify a printer by its UUID.
        private static func newUUID() -> String { "urn:uuid:\(UUID().uuidString.lowercased())" }

        /// Decodes the state that any version of printq has written.
        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            uuid = try keys.decodeIfPresent(String.self, forKey: .uuid) ?? Self.newUUID()
            nextJobID = try keys.decode(Int.self, forKey: .nextJobID)
            isPaused = try keys.decodeIfPresent(Bool.self, forKey: .isPaused) ?? false
            isDisabled = try keys.decodeIfPresent(Bool.self, forKey: .isDisabled) ?? false
            settings = try keys.decodeIfPresent([String: String].self, forKey: .settings) ?? [:]
            configurationChangedAt = try keys.decodeIfPresent(UnixTime.self, forKey: .configurationChangedAt)
            purgedThrough = try keys.decodeIfPresent(Int.self, forKey: .purgedThrough) ?? 0
            stock = try keys.decodeIfPresent(Consumables.self, forKey: .stock) ?? Consumables()
            printing = try keys.decodeIfPresent(Progress.self, forKey: .printing)
            hasQueueFolders = try keys.decodeIfPresent(Bool.self, forKey: .hasQueueFolders) ?? false
        }
    }

    /// Creates the folder if needed, and deletes incomplete documents and the pages of canceled jobs.
    init(path: String, remove: @escaping @Sendable (_ folder: String) -> Void) throws(SimulatorError) {
        (self.path, self.remove) = (path, remove)
        let removed = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/removed")) ?? []
        for name in removed { remove("\(path)/removed/\(name)") }
        try? FileManager.default.removeItem(atPath: "\(path)/incoming")
        try FileOperations.makeFolders("\(path)/incoming")
    }

    func incomingFile() -> String { "\(path)/incoming/\(UUID().uuidString.lowercased())" }

    func path(of folder: String) -> String { "\(path)/\(folder)" }

    func unprinted(_ folder: String) -> String { "\(path(of: folder))/unprinted" }

    // MARK: - Persistent state

    /// Returns the stored state, or the previous state when the stored state is unreadable; nil if both states are
    /// unreadable.
    func remembered() -> Memory? {
        for name in ["state.json", "state.json.old"] {
            if let data = try? Data(contentsOf: URL(filePath: "\(path)/\(name)")),
                let memory = try? JSONDecoder().decode(Memory.self, from: data)
            {
                return memory
            }
        }
        return nil
    }

    func remember(_ memory: Memory) throws(SimulatorError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = try Self.encoded("state.json") { try Array(encoder.encode(memory)) }
        try FileOperations.exchange("\(path)/state.json", with: data)
    }

    /// Returns the folders of all jobs, ordered by the time at which each folder was last changed.
    func jobFolders() -> [JobFolder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let folders = names.compactMap(JobFolder.init(name:)).map { folder -> (folder: JobFolder, moment: Int) in
            var status = stat()
            guard stat(path(of: folder.name), &status) == 0 else { return (folder, 0) }
            return (folder, status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
        return folders.sorted { ($0.moment, $0.folder.number) < ($1.moment, $1.folder.number) }.map(\.folder)
    }

    /// Renames a job's folder, unless a folder with the new name exists.
    func rename(_ folder: JobFolder, to new: JobFolder) {
        guard access(path(of: new.name), F_OK) != 0 else { return }
        Glibc.rename(path(of: folder.name), path(of: new.name))
    }

    /// Removes a job's folder that contains no report.
    ///
    /// The job's number is not reused.
    ///
    /// A folder with files other than a document or an incomplete report is not removed.
    func removeUnbegun(_ name: String) {
        let folder = path(of: name)
        guard access("\(folder)/job.json", F_OK) != 0 else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.allSatisfy({ $0 == "job.json.new" || $0.hasPrefix("original.") || $0 == Self.requestName(1) })
        else {
            return
        }
        for name in names { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    // MARK: - Jobs

    func report(_ folder: String) throws -> JobReport { try JobReport(folder: path(of: folder)) }

    func write(_ report: JobReport) throws(SimulatorError) {
        let json = try Self.encoded("job.json") { try report.json() }
        try FileOperations.replace("\(path(of: report.job.folder))/job.json", with: json)
    }

    func log(_ report: JobReport) throws(SimulatorError) {
        let line = try Self.encoded("printer.log") { try report.logLine() }
        try FileOperations.append(line, to: "\(path)/printer.log")
    }

    /// The function removes an incomplete last line from the file.
    func lastLogLines() throws(SimulatorError) -> [Substring] {
        let text = try FileOperations.wholeLines(endOf: "\(path)/printer.log", count: 64 << 10)
        return text.split(separator: "\n")
    }

    func logIdentification(_ message: String, at now: UnixTime) throws(SimulatorError) {
        let line: JSONValue = [
            "time": .string(Timestamp.text(now)), "event": "identify", "message": .string(message),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try Self.encoded("printer.log") { try Array(encoder.encode(line)) + [UInt8(ascii: "\n")] }
        try FileOperations.append(bytes, to: "\(path)/printer.log")
    }

    /// Moves a received document into its job's folder, and returns the new file name.
    ///
    /// For example, the name is `original.pdf` for the first document, and `original-2.pdf` for the second document.
    func keep(
        _ document: String, as format: DocumentFormat, number: Int, folder: String
    ) throws(SimulatorError) -> String {
        let name = "original\(number == 1 ? "" : "-\(number)").\(format.fileExtension)"
        try FileOperations.move(document, to: "\(path(of: folder))/\(name)")
        return name
    }

    /// Writes the bytes of a job's request before the document, as the client sent them.
    func keep(request bytes: [UInt8], number: Int, folder: String) throws(SimulatorError) {
        try FileOperations.replace("\(path(of: folder))/\(Self.requestName(number))", with: bytes)
    }

    /// Returns the name of the file with a request of a job; the `number` counts from 1.
    static func requestName(_ number: Int) -> String { "request\(number == 1 ? "" : "-\(number)").ipp" }

    func makeUnprinted(_ folder: String) throws(SimulatorError) {
        removeUnprinted(folder)
        try FileOperations.makeFolders(unprinted(folder))
    }

    func deliver(_ file: String, of folder: String) throws(SimulatorError) {
        try FileOperations.move("\(unprinted(folder))/\(file)", to: "\(path(of: folder))/\(file)")
    }

    private static func encoded(_ file: String, _ encode: () throws -> [UInt8]) throws(SimulatorError) -> [UInt8] {
        do {
            return try encode()
        } catch {
            throw SimulatorError(.fileSystem, "cannot encode \(file) as JSON", cause: error)
        }
    }

    /// Moves the folder to `removed`, because the removal of a hundred thousand pages can take a minute.
    func removeUnprinted(_ folder: String) {
        let unprinted = unprinted(folder)
        // After a completed job, the folder is empty.
        guard rmdir(unprinted) != 0, errno != ENOENT else { return }
        removeAll(unprinted)
    }

    /// Removes a job's folder with all files.
    func removeJob(_ folder: String) { removeAll(path(of: folder)) }

    private func removeAll(_ folder: String) {
        let moved = "\(path)/removed/\(UUID().uuidString.lowercased())"
        try? FileOperations.makeFolders("\(path)/removed")
        guard Glibc.rename(folder, moved) == 0 else {
            try? FileManager.default.removeItem(atPath: folder)
            return
        }
        remove(moved)
    }
}
