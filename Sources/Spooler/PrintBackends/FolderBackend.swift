// Delivers prepared PDFs to a folder.

import AsyncPrimitives
import FoundationEssentials
public import PrintModel
import Synchronization

/// A backend that writes each job to a folder as a PDF file with the job's name.
///
/// A file appears under its final name only when the file is complete. A file never replaces another file, even if
/// several spoolers print to the same folder. The backend finds a job again after a crash between any two steps:
///
/// 1. `.printq/UUID.json` records the job, and the empty file `.printq/UUID.open` shows that a document can arrive. Both
///    names are synced to the disk.
/// 2. The document is written to `.printq/UUID.open`, and synced to the disk.
/// 3. The document moves to `TITLE.pdf` or `TITLE-2.pdf` … in one atomic step that never replaces a file. The folder is
///    synced to the disk.
///
/// A cancellation renames the document to `.printq/UUID.canceled`. Steps 3 and a cancellation exclude each other.
/// Therefore a host that was stopped during step 2 cannot deliver a job that another host has canceled meanwhile.
///
/// If a job has a record, but no document in `.printq`, the document counts as delivered. `.printq` must belong to the
/// spooler's user, and no other user may have write permission for `.printq`. The backend checks the owner and the
/// permissions, because any user who can write to the printer's folder can create `.printq`.
///
/// File operations run on a dedicated thread for the folder, because a disk can be slow. An unavailable file server
/// blocks that thread until the server is available again. The caller stops waiting at the deadline, or when the
/// caller's task is canceled.
public final class FolderBackend: PrinterBackend {
    /// The path of the folder.
    public let path: String
    private let files: FolderFiles
    private let thread: BlockingThreads
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The time from which the next job removes expired records; nil before the first job.
    private let nextSweep = Mutex<ContinuousClock.Instant?>(nil)
    /// The UUID of the last job whose delivered document this process has synced to the disk.
    private let synced = Mutex<String?>(nil)

    /// Creates a backend for the folder at a path.
    ///
    /// The folder does not have to exist yet.
    public convenience init(path: String) { self.init(path: path) { .now } }

    init(path: String, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.path = path
        self.now = now
        files = FolderFiles(folder: path)
        thread = BlockingThreads()
    }

    /// The interval at which expired records are removed, because the removal examines every record.
    private static let sweepInterval = Duration.seconds(3600)

    /// The timeout of all operations except the transfer of a document, in seconds.
    private static let deadline = 30.0
    /// The maximum number of operations that wait for an unresponsive folder.
    private static let mostWaiting = 16

    /// Runs an operation on the folder's thread.
    ///
    /// - Parameters:
    ///   - seconds: The timeout in seconds; nil for no timeout.
    ///   - mayHaveBeenReceived: Whether an operation that timed out or was canceled may have delivered a document.
    ///   - stop: A signal that fires when the caller's task is canceled.
    private func perform<Value: Sendable>(
        within seconds: Double? = deadline, mayHaveBeenReceived: Bool = false, stop: Signal? = nil,
        _ call: @escaping @Sendable (FolderBackend) throws(BackendError) -> Value
    ) async throws(BackendError) -> Value {
        let silence = BackendError(
            .unreachable, "'\(path)' does not respond; check its disk or file server",
            mayHaveBeenReceived: mayHaveBeenReceived)
        guard thread.load < Self.mostWaiting else { throw silence }
        let firstResult = FirstResult<Value, BackendError>()
        let deadline = seconds.map {
            DeadlineTimer.shared.schedule(after: $0) { _ = firstResult.end(.failure(silence)) }
        }
        defer { if let deadline { DeadlineTimer.shared.cancel(deadline) } }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                firstResult.begin(continuation)
                let isBegun = thread.async { [self] in
                    do throws(BackendError) {
                        _ = firstResult.end(.success(try call(self)))
                    } catch {
                        _ = firstResult.end(.failure(error))
                    }
                }
                if !isBegun {
                    let failure = BackendError(
                        .unreachable, "cannot start a thread for the folder '\(path)'; raise TasksMax or 'ulimit -u'")
                    _ = firstResult.end(.failure(failure))
                }
            }
        } onCancel: {
            stop?.give()
            _ = firstResult.end(.failure(silence))
        }
        return try result.get()
    }

    /// Returns the capabilities of the folder: PDF, all paper sizes, color, and one-sided or two-sided printing.
    public func capabilities() async throws(BackendError) -> PrinterCapabilities {
        try await perform { backend throws(BackendError) in
            try backend.files.tryOut()
            return Self.capabilities
        }
    }

    /// Returns `idle` if files can be created in the folder.
    ///
    /// - Throws: `BackendError.unreachable` with the reason if files cannot be created.
    public func status() async throws(BackendError) -> PrinterStatus {
        try await perform { backend throws(BackendError) in
            try backend.files.check()
            return PrinterStatus(state: .idle)
        }
    }

    /// Stores the record of the job in the folder.
    public func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
        try await perform { backend throws(BackendError) in try backend.noteJob(request) }
    }

    private func noteJob(_ request: DeliveryRequest) throws(BackendError) -> RemoteJob {
        try files.check()
        let inside = try files.makeInside()
        sweepIfDue()
        let uuid = UUID().uuidString.lowercased()
        let record = FolderRecord(id: request.jobID, name: request.name, owner: request.owner)
        try files.add(record, as: uuid, in: inside)
        return RemoteJob(id: request.jobID, uuid: "urn:uuid:\(uuid)")
    }

    /// Removes the expired records, at the first job and then once per hour.
    private func sweepIfDue() {
        let time = now()
        let isDue = nextSweep.withLock { next in
            if let next, time < next { return false }
            next = time + Self.sweepInterval
            return true
        }
        if isDue { files.sweep() }
    }

    /// Copies the document to the folder, and then moves the document to its final name.
    ///
    /// If the task is canceled, the copying ends, and the folder's thread is free for the next operation.
    public func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        let stop = Signal()
        try await perform(within: nil, mayHaveBeenReceived: true, stop: stop) { backend throws(BackendError) in
            try backend.take(path, format: format, for: job, until: stop)
        }
    }

    private func take(
        _ path: String, format: DocumentFormat, for job: RemoteJob, until stop: Signal
    ) throws(BackendError) {
        guard format == .pdf else { throw BackendError(.refused, "a printer folder accepts only PDF, not \(format)") }
        let uuid = try self.uuid(of: job)
        let inside = try files.inside()
        guard try files.delivery(of: uuid, in: inside) == .incoming else {
            throw BackendError(.refused, "'\(self.path)' has no job \(job.id) that is waiting for a document")
        }
        guard try files.take(path, as: uuid, in: inside, until: stop) else {
            throw BackendError(.refused, "job \(job.id) in '\(self.path)' was canceled during its transfer")
        }
        synced.withLock { $0 = uuid }
    }

    /// Returns the state of the job.
    public func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        try await perform { backend throws(BackendError) in try backend.look(for: job) }
    }

    private func look(for job: RemoteJob) throws(BackendError) -> RemoteJobStatus? {
        try files.check()
        guard let uuid = try? uuid(of: job), let inside = try FolderInside(of: path) else { return nil }
        switch try files.delivery(of: uuid, in: inside) {
        case nil: return nil
        case .incoming: return RemoteJobStatus(state: .pending, reasons: [.jobIncoming])
        case .canceled: return RemoteJobStatus(state: .canceled, reasons: [.jobCanceledByUser], impressionsCompleted: 0)
        case .delivered:
            // A process that has crashed may have moved the document without syncing the folder.
            if synced.withLock({ $0 != uuid }) { try files.sync(folder: path) }
            return RemoteJobStatus(state: .completed, reasons: [.jobCompletedSuccessfully])
        }
    }

    /// Cancels the job and deletes the contents of its document, unless the document is already delivered.
    public func cancelJob(_ job: RemoteJob) async throws(BackendError) {
        try await perform { backend throws(BackendError) in
            try backend.files.check()
            guard let inside = try FolderInside(of: backend.path) else { return }
            try backend.files.cancel(try backend.uuid(of: job), in: inside)
        }
    }

    /// Returns the path of a job's output file.
    ///
    /// The result is nil if the file does not exist, or if the folder does not respond within 2 seconds.
    public static func output(of job: RemoteJob, in folder: String) async -> String? {
        // Each look-up in a folder on an unavailable file server occupies a thread until the server is available again.
        guard looks.withLock({ $0 < mostLooks }) else { return nil }
        looks.withLock { $0 += 1 }
        let firstResult = FirstResult<String?, Never>()
        let deadline = DeadlineTimer.shared.schedule(after: 2) { _ = firstResult.end(.success(nil)) }
        defer { DeadlineTimer.shared.cancel(deadline) }
        let found = await withCheckedContinuation { continuation in
            firstResult.begin(continuation)
            let isBegun = BlockingThreads().async {
                _ = firstResult.end(.success(file(of: job, in: folder)))
                looks.withLock { $0 -= 1 }
            }
            if !isBegun {
                looks.withLock { $0 -= 1 }
                _ = firstResult.end(.success(nil))
            }
        }
        return found.get()
    }

    private static let looks = Mutex(0)
    private static let mostLooks = 16

    static func file(of job: RemoteJob, in folder: String) -> String? {
        let files = FolderFiles(folder: folder)
        guard let uuid = uuid(in: job.uuid), let inside = try? files.inside(),
            (try? files.delivery(of: uuid, in: inside)) == .delivered,
            let name = try? files.record(of: uuid, in: inside)?.file, files.exists(name)
        else { return nil }
        return "\(folder)/\(name)"
    }

    private func uuid(of job: RemoteJob) throws(BackendError) -> String {
        guard let uuid = Self.uuid(in: job.uuid) else {
            throw BackendError(.refused, "job \(job.id) has no UUID; the printer folder '\(path)' requires a UUID")
        }
        return uuid
    }

    /// Returns the UUID in a `job-uuid` value; nil if the value contains no valid UUID.
    ///
    /// The UUID becomes a part of file names. The check prevents a file name that is a path to another folder.
    private static func uuid(in text: String?) -> String? {
        text?.split(separator: ":").last.flatMap { UUID(uuidString: String($0)) }?.uuidString.lowercased()
    }

    /// The capabilities of every printer folder.
    private static let capabilities: PrinterCapabilities = {
        // A folder has no unprintable area. With a margin of 0, pages would be scaled until they fill the paper, and
        // the parts outside the paper would be cropped.
        let margin = Margins.all(Length(hundredths: 1))
        var capabilities = PrinterCapabilities(
            makeAndModel: "PDF files in a folder",
            papers: Media.standard.flatMap { [PrintPaper(media: $0, margins: margin), PrintPaper(media: $0)] },
            defaultMedia: .a4,
            customMedia: PrinterCapabilities.MediaRange(
                width: 500...500_000, height: 500...500_000, margins: margin),
            duplexModes: Duplex.allCases, colorModes: ColorMode.allCases, qualities: PrintQuality.allCases,
            resolutions: [600], formats: [.pdf], maxCopies: 1)
        capabilities.mediaSources = []
        return capabilities
    }()
}
