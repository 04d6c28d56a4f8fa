// Where a printer's paper comes out: the folder of its jobs, its log and its memory.

import FoundationEssentials
import Glibc
import PrintModel

/// The output folder of one printer, and the only place that knows what lies where in it.
///
///     incoming/            documents that are arriving; emptied at start
///     job-000012/          original.pdf, page-0001.png …, sheets.pdf, job.json (for the number see `JobFolder`)
///     job-000012/unprinted pages that are read but have not come out yet
///     printer.log          one line of JSON for each job that ended
///     state.json           what the printer remembers when it is switched off
///     state.json.old       what it remembered before that, and the next memory while it is written
///     lock                 held by the process that runs the printer (SimulatorServer)
struct OutputFolder: Sendable {
    let path: String

    /// What a printer remembers when it is switched off.
    struct Memory: Codable {
        /// Its universal name (IPP `printer-uuid`), drawn when it is switched on for the first time.
        var uuid = Self.newUUID()
        /// The number of its next job.
        var nextJobID = 1
        /// Whether it is paused.
        var isPaused = false
        /// Whether it takes no new jobs (IPP Disable-Printer).
        var isDisabled = false
        /// What an administrator calls it (IPP Set-Printer-Attributes), by attribute.
        var settings: [String: String] = [:]
        /// When that was last changed.
        var configurationChangedAt: UnixTime?
        /// The jobs up to this number that had ended are forgotten (IPP Purge-Jobs).
        var purgedThrough = 0
        /// Its paper and ink.
        var stock = Consumables()
        /// The job it prints, and how far it has come.
        var printing: Progress?
        /// Whether the numbers of `job-…` folders are those of a queue.
        var hasQueueFolders = false

        /// How far a job has come.
        struct Progress: Codable {
            var job: Int
            var impressionsCompleted: Int
            var sheetsCompleted: Int
            /// The pieces that have come out of a roll; nil for sheets.
            var pieces: [RollPiece]?
        }

        init() {}

        /// No other printer has it, whatever it is called and wherever its folder is: clients take printers of one name in a
        /// network for one.
        private static func newUUID() -> String { "urn:uuid:\(UUID().uuidString.lowercased())" }

        /// Reads what any version of printq has written.
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

    /// Makes the folder if need be, and throws away what was arriving when the printer was switched off.
    init(path: String) throws(SimulatorError) {
        self.path = path
        try? FileManager.default.removeItem(atPath: "\(path)/incoming")
        try FileOperations.makeFolders("\(path)/incoming")
    }

    func incomingFile() -> String { "\(path)/incoming/\(UUID().uuidString.lowercased())" }

    /// The path of a job's folder.
    func path(of folder: String) -> String { "\(path)/\(folder)" }

    func unprinted(_ folder: String) -> String { "\(path(of: folder))/unprinted" }

    // MARK: - The printer's memory

    /// What the printer remembers, or else what it remembered before that; nil when neither can be read.
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

    /// The folders of all jobs, in the order in which they were last written to.
    func jobFolders() -> [JobFolder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let folders = names.compactMap(JobFolder.init(name:)).map { folder -> (folder: JobFolder, moment: Int) in
            var status = stat()
            guard stat(path(of: folder.name), &status) == 0 else { return (folder, 0) }
            return (folder, status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
        return folders.sorted { ($0.moment, $0.folder.number) < ($1.moment, $1.folder.number) }.map(\.folder)
    }

    /// Renames a job's folder; one of the new name is left alone.
    func rename(_ folder: JobFolder, to new: JobFolder) {
        guard access(path(of: new.name), F_OK) != 0 else { return }
        Glibc.rename(path(of: folder.name), path(of: new.name))
    }

    /// Removes the folder of a job whose report was never finished; its number is not reused.
    ///
    /// Only what is there before the report is removed with it: a document, or a part of the report.
    func removeUnbegun(_ name: String) {
        let folder = path(of: name)
        guard access("\(folder)/job.json", F_OK) != 0 else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.allSatisfy({ $0 == "job.json.new" || $0.hasPrefix("original.") }) else { return }
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

    /// The last lines of the log, without one that was cut off as it was written: that one is removed from the file.
    func lastLogLines() throws(SimulatorError) -> [Substring] {
        let text = try FileOperations.wholeLines(endOf: "\(path)/printer.log", count: 64 << 10)
        return text.split(separator: "\n")
    }

    /// Notes that someone asked which printer this is.
    func logIdentification(_ message: String, at now: UnixTime) throws(SimulatorError) {
        let line: JSONValue = [
            "time": .string(Timestamp.text(now)), "event": "identify", "message": .string(message),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try Self.encoded("printer.log") { try Array(encoder.encode(line)) + [UInt8(ascii: "\n")] }
        try FileOperations.append(bytes, to: "\(path)/printer.log")
    }

    /// Takes an arrived document into its job's folder as `original.pdf`, the second one as `original-2.pdf`.
    func keep(
        _ document: String, as format: DocumentFormat, number: Int, folder: String
    ) throws(SimulatorError) -> String {
        let name = "original\(number == 1 ? "" : "-\(number)").\(format.fileExtension)"
        try FileOperations.move(document, to: "\(path(of: folder))/\(name)")
        return name
    }

    /// Makes the empty folder for pages that are to come out.
    func makeUnprinted(_ folder: String) throws(SimulatorError) {
        removeUnprinted(folder)
        try FileOperations.makeFolders(unprinted(folder))
    }

    /// A page comes out: from `unprinted` into the job's folder.
    func putOut(_ file: String, of folder: String) throws(SimulatorError) {
        try FileOperations.move("\(unprinted(folder))/\(file)", to: "\(path(of: folder))/\(file)")
    }

    private static func encoded(_ file: String, _ encode: () throws -> [UInt8]) throws(SimulatorError) -> [UInt8] {
        do {
            return try encode()
        } catch {
            throw SimulatorError(.fileSystem, "what belongs in \(file) cannot be written as JSON", cause: error)
        }
    }

    func removeUnprinted(_ folder: String) { try? FileManager.default.removeItem(atPath: unprinted(folder)) }
}
