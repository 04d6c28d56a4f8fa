// A folder as a printer: prepared PDFs land in it.

import FoundationEssentials
public import PrintModel
import Synchronization

/// The way into a folder: each job becomes a PDF named after it.
///
/// A file appears whole and under its own name, never in the place of another, also when several spoolers print into one
/// folder. Each step is on the disk before the next, so that a job is found again after a crash between any two:
///
/// 1. `.printq/UUID.json` says that there is a job.
/// 2. The document is written to `.printq/UUID.pdf`, and forced onto the disk.
/// 3. The record says that it is whole, and what it will be called.
/// 4. The document moves to `TITLE.pdf`, or `TITLE-2.pdf` …, in one step that never replaces a file.
///
/// Whole and no longer inside is delivered. `.printq` must belong to the spooler's user, and nobody else may write to it: another
/// user who may write into the folder could have put it there. Files are moved on a thread of the folder's own, for a disk can be
/// slow. A file server that is away blocks that thread for as long as it is away; whoever asks waits no longer than a deadline,
/// and no longer than its task lives.
public final class FolderBackend: PrinterBackend {
    /// The folder.
    public let path: String
    private let files: FolderFiles
    private let thread: BlockingThread

    /// The folder at a path; it need not be there yet.
    public init(path: String) {
        self.path = path
        files = FolderFiles(folder: path)
        thread = BlockingThread()
    }

    /// How long a folder may take for anything but a document, in seconds.
    private static let deadline = 30.0
    /// How many calls may wait for a folder that does not answer.
    private static let mostWaiting = 16

    /// Carries out a call on the folder's thread.
    ///
    /// - Parameters:
    ///   - seconds: How long it may take; nil for any time.
    ///   - mayHaveBeenReceived: Whether a call that is given up may have delivered a document.
    private func perform<Value: Sendable>(
        within seconds: Double? = deadline, mayHaveBeenReceived: Bool = false,
        _ call: @escaping @Sendable (FolderBackend) throws(BackendError) -> Value
    ) async throws(BackendError) -> Value {
        let silence = BackendError(
            .unreachable, "'\(path)' does not answer; is its disk or its file server away?",
            mayHaveBeenReceived: mayHaveBeenReceived)
        guard thread.load < Self.mostWaiting else { throw silence }
        let race = Race<Value, BackendError>()
        let alarm = seconds.map { DeadlineTimer.shared.ring(in: $0) { _ = race.end(.failure(silence)) } }
        defer { if let alarm { DeadlineTimer.shared.cancel(alarm) } }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                race.begin(continuation)
                let isBegun = thread.async { [self] in
                    do throws(BackendError) {
                        _ = race.end(.success(try call(self)))
                    } catch {
                        _ = race.end(.failure(error))
                    }
                }
                if !isBegun {
                    _ = race.end(.failure(BackendError(.unreachable, "the system has no thread for '\(path)'")))
                }
            }
        } onCancel: {
            _ = race.end(.failure(silence))
        }
        return try result.get()
    }

    /// PDF on any paper, in colour, on one side or two.
    public func capabilities() async throws(BackendError) -> PrinterCapabilities {
        try await perform { backend throws(BackendError) in
            try backend.files.tryOut()
            return Self.capabilities
        }
    }

    /// Idle, as long as files can be made in the folder.
    public func status() async throws(BackendError) -> PrinterStatus {
        try await perform { backend throws(BackendError) in
            try backend.files.check()
            return PrinterStatus(state: .idle)
        }
    }

    /// Notes the job in the folder.
    public func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
        try await perform { backend throws(BackendError) in try backend.noteJob(request) }
    }

    private func noteJob(_ request: DeliveryRequest) throws(BackendError) -> RemoteJob {
        try files.check()
        try files.makeInside()
        files.sweep()
        let uuid = UUID().uuidString.lowercased()
        let record = FolderRecord(id: request.jobID, name: request.name, owner: request.owner, stage: .created)
        try files.store(record, of: uuid)
        return RemoteJob(id: request.jobID, uuid: "urn:uuid:\(uuid)")
    }

    /// Copies the document into the folder and gives it its name.
    public func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        try await perform(within: nil, mayHaveBeenReceived: true) { backend throws(BackendError) in
            try backend.take(path, format: format, for: job)
        }
    }

    private func take(_ path: String, format: DocumentFormat, for job: RemoteJob) throws(BackendError) {
        guard format == .pdf else { throw BackendError(.refused, "folders take PDF, not \(format)") }
        let uuid = try self.uuid(of: job)
        guard var record = try files.record(of: uuid), record.stage == .created else {
            throw BackendError(.refused, "'\(self.path)' has no job \(job.id) that waits for its document")
        }
        try files.take(path, as: uuid)
        record.stage = .whole
        record.file = files.freeName(for: record)
        try files.store(record, of: uuid)
        do throws(BackendError) {
            try files.bringOut(uuid, record)
        } catch {
            // It is whole and stays: `jobStatus` brings it out as soon as that can be done.
            throw BackendError(error.code, error.message, mayHaveBeenReceived: true)
        }
    }

    /// How far the job has come; what is whole and was held up is brought out now.
    public func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        try await perform { backend throws(BackendError) in try backend.look(for: job) }
    }

    private func look(for job: RemoteJob) throws(BackendError) -> RemoteJobStatus? {
        try files.check()
        guard let uuid = try? uuid(of: job), let record = try files.record(of: uuid) else { return nil }
        switch FolderDelivery(record.stage, documentIsInside: try files.isInside(uuid)) {
        case .incoming: return RemoteJobStatus(state: .pending, reasons: [.jobIncoming])
        case .canceled: return RemoteJobStatus(state: .canceled, reasons: [.jobCanceledByUser], impressionsCompleted: 0)
        case .delivered: return RemoteJobStatus(state: .completed, reasons: [.jobCompletedSuccessfully])
        case .waiting:
            try files.bringOut(uuid, record)
            return RemoteJobStatus(state: .completed, reasons: [.jobCompletedSuccessfully])
        }
    }

    /// Forgets the document, unless it has moved out already.
    public func cancelJob(_ job: RemoteJob) async throws(BackendError) {
        try await perform { backend throws(BackendError) in try backend.forget(job) }
    }

    private func forget(_ job: RemoteJob) throws(BackendError) {
        try files.check()
        let uuid = try self.uuid(of: job)
        guard var record = try files.record(of: uuid) else { return }
        switch FolderDelivery(record.stage, documentIsInside: try files.isInside(uuid)) {
        case .delivered, .canceled: return
        case .incoming, .waiting:
            // Stored first: whole and no longer inside would be delivered.
            record.stage = .canceled
            try files.store(record, of: uuid)
            try files.removeDocument(of: uuid)
        }
    }

    /// The path of the file that a job in a folder has become; nil while it is none, when the file is there no more, and when the
    /// folder does not answer within two seconds.
    public static func output(of job: RemoteJob, in folder: String) async -> String? {
        // Each look at a folder whose server is away occupies a thread until the server is back.
        guard looks.withLock({ $0 < mostLooks }) else { return nil }
        looks.withLock { $0 += 1 }
        let race = Race<String?, Never>()
        let alarm = DeadlineTimer.shared.ring(in: 2) { _ = race.end(.success(nil)) }
        defer { DeadlineTimer.shared.cancel(alarm) }
        let found = await withCheckedContinuation { continuation in
            race.begin(continuation)
            let isBegun = BlockingThread().async {
                _ = race.end(.success(file(of: job, in: folder)))
                looks.withLock { $0 -= 1 }
            }
            if !isBegun {
                looks.withLock { $0 -= 1 }
                _ = race.end(.success(nil))
            }
        }
        return found.get()
    }

    private static let looks = Mutex(0)
    private static let mostLooks = 16

    static func file(of job: RemoteJob, in folder: String) -> String? {
        let files = FolderFiles(folder: folder)
        guard let uuid = uuid(in: job.uuid), let record = try? files.record(of: uuid), record.stage == .whole,
            let name = record.file, (try? files.isInside(uuid)) == false,
            FileManager.default.fileExists(atPath: "\(folder)/\(name)")
        else { return nil }
        return "\(folder)/\(name)"
    }

    private func uuid(of job: RemoteJob) throws(BackendError) -> String {
        guard let uuid = Self.uuid(in: job.uuid) else {
            throw BackendError(.refused, "'\(path)' names its jobs by UUIDs, and job \(job.id) has none")
        }
        return uuid
    }

    /// The part of a `job-uuid` that is in file names; it comes from the spool, and leads nowhere else.
    private static func uuid(in text: String?) -> String? {
        text?.split(separator: ":").last.flatMap { UUID(uuidString: String($0)) }?.uuidString.lowercased()
    }

    /// What a folder takes: everything.
    private static let capabilities: PrinterCapabilities = {
        // Nothing is unprintable; a paper without margins would be filled, and what is too much cut.
        let margin = Margins.all(Length(hundredths: 1))
        return PrinterCapabilities(
            makeAndModel: "PDF files in a folder",
            papers: Media.standard.flatMap { [PrintPaper(media: $0, margins: margin), PrintPaper(media: $0)] },
            defaultMedia: .a4,
            customMedia: PrinterCapabilities.MediaRange(
                width: 500...500_000, height: 500...500_000, margins: margin),
            duplexModes: Duplex.allCases, colorModes: ColorMode.allCases, qualities: PrintQuality.allCases,
            resolutions: [600], formats: [.pdf], maxCopies: 1)
    }()
}
