// The port for the jobs of simulated printers.

package import PrintModel
package import SpoolerClient

/// A service that provides the stored jobs of simulated printers, and the page images in the printers' output folders.
///
/// The caller must check that the user is allowed to see the jobs and images.
package protocol SimulatedJobs: Sendable {
    /// Returns jobs of a simulated printer, newest first.
    ///
    /// - Parameters:
    ///   - text: A text in the name or the owner of the returned jobs, or in the name or on the pages of a document;
    ///     empty for all jobs.
    ///   - before: A job number: all returned jobs have a lower number. If the value is nil, the newest jobs are
    ///     returned.
    ///   - limit: The maximum number of jobs.
    /// - Throws: `Problem` with status 404 if the printer does not exist.
    func jobs(
        of printer: String, containing text: String, before: Int?, limit: Int
    ) async throws -> SimulatedJobList
    /// Returns the page images of a job.
    ///
    /// - Throws: `Problem` with status 404 if the job does not exist at the printer, or the folder of the job was
    ///   removed.
    func pages(of job: Int, at printer: String) async throws -> SimulatedJobPages
    /// Returns the image of a page.
    ///
    /// - Throws: `Problem` with status 404 if the page does not exist or is not printed.
    func image(of job: Int, at printer: String, page: Int) async throws -> PageImageFile
    /// Returns a document of a job as the client sent it.
    ///
    /// - Throws: `Problem` with status 404 if the document does not exist.
    func document(_ number: Int, of job: Int, at printer: String) async throws -> FileDownload
    /// Returns the report of a job: the options as received, the options of the printed job, and the warnings.
    ///
    /// - Throws: `Problem` with status 404 if the job does not exist.
    func report(of job: Int, at printer: String) async throws -> FileDownload
    /// Returns the bytes of a request of a job as the client sent them, without its document.
    ///
    /// - Throws: `Problem` with status 404 if the request does not exist.
    func request(_ number: Int, of job: Int, at printer: String) async throws -> [UInt8]
    /// Waits until jobs of a printer have ended, and returns the ended jobs, in the order of their arrival.
    ///
    /// The result is incomplete if the time passes first.
    ///
    /// - Throws: `Problem` with status 404 if the printer does not exist.
    func ended(_ wanted: AwaitedJobs, at printer: String, within time: Duration) async throws -> EndedJobs
    /// Deletes an ended job with its files, or all ended jobs if `job` is nil; returns the number of deleted jobs.
    ///
    /// - Throws: `Problem` with status 404 if the job does not exist, and 409 if the job has not ended.
    func delete(_ job: Int?, at printer: String) async throws -> Int
}

/// The jobs for whose end a client waits.
package enum AwaitedJobs: Hashable, Sendable {
    /// The job with this number.
    case job(Int)
    /// The given number of jobs whose numbers are greater than `after`.
    case count(Int, after: Int)
}

/// The jobs that ended while a client waited.
package struct EndedJobs: Sendable {
    package var jobs: [SimulatedJobRecord]
    /// Whether all awaited jobs have ended.
    package var isDone: Bool

    package init(_ jobs: [SimulatedJobRecord], isDone: Bool) { (self.jobs, self.isDone) = (jobs, isDone) }
}

/// A list of stored jobs of a simulated printer.
package struct SimulatedJobList: Sendable {
    /// The jobs in the list, newest first.
    package var jobs: [SimulatedJobRecord]
    /// The number before which the list continues; nil if the printer has stored no older jobs.
    package var next: Int?

    package init(_ jobs: [SimulatedJobRecord], next: Int?) { (self.jobs, self.next) = (jobs, next) }
}

/// The page images of a job of a simulated printer.
package struct SimulatedJobPages: Sendable {
    /// The job to which the page images belong.
    package var job: SimulatedJobRecord
    /// The pages of the job, or the reason why the job has no page images.
    package var list: PageList
    /// The resolution of the images, in dots per inch.
    package var resolution: Int

    /// Creates the description of a job's page images.
    package init(_ list: PageList, of job: SimulatedJobRecord, resolution: Int) {
        (self.list, self.job, self.resolution) = (list, job, resolution)
    }
}

/// A job of a simulated printer, with the properties that the Print Center shows.
package struct SimulatedJobRecord: Sendable {
    /// The number that the printer has assigned to the job.
    package var id: Int
    package var name: String
    package var state: JobState
    /// The state message of the job; empty if the job has no message.
    package var message: String
    /// The differences between the requested output and the printed output, one sentence each.
    package var warnings: [String] = []
    /// The time when the job was created.
    package var createdAt: UnixTime
    /// The time when the job ended; nil if the job has not ended.
    package var completedAt: UnixTime?
    /// The number of page images in the folder of the job.
    package var images: Int
    /// The number of pages of the documents; nil until the printer has read the documents.
    package var pages: Int?
    /// The paper of the job.
    package var media: Media
    /// The job's setting for two-sided printing.
    package var duplex: Duplex
    /// The number of documents that the client sent.
    package var documents = 0
    /// The number of stored requests of the client.
    package var requests = 0
    /// The failed checks of the content.
    package var checks: [FailedCheck] = []
    /// The name of the job's folder in the output folder of the printer.
    package var folder: String

    package init(
        id: Int, name: String, state: JobState, message: String, createdAt: UnixTime, images: Int, pages: Int?,
        media: Media, duplex: Duplex, folder: String
    ) {
        (self.id, self.name, self.state, self.message) = (id, name, state, message)
        (self.createdAt, self.images, self.pages, self.media) = (createdAt, images, pages, media)
        (self.duplex, self.folder) = (duplex, folder)
    }

    /// A failed check of a job's content.
    package struct FailedCheck: Sendable {
        /// The keyword of the check, such as `blank-pages`.
        package var name: String
        /// The numbers of the affected page images.
        package var pages: [Int]
        /// The names of the fonts that are not embedded.
        package var fonts: [String]
        package var message: String

        package init(_ name: String, pages: [Int], fonts: [String], message: String) {
            (self.name, self.pages, self.fonts, self.message) = (name, pages, fonts, message)
        }

        var json: JSONText {
            .object([
                ("name", .string(name)), ("message", .string(message)), ("pages", .array(pages.map { .number($0) })),
                ("fonts", .strings(fonts)),
            ])
        }
    }

    /// The job record as JSON for administrators.
    package var json: JSONText { json(seesAll: true) }

    /// Returns the job record as JSON.
    ///
    /// A user who is not an administrator gets no name, no message and no options, as in Get-Jobs.
    func json(for user: CenterUser) -> JSONText { json(seesAll: user.isAdministrator) }

    private func json(seesAll: Bool) -> JSONText {
        func shown(_ text: String) -> JSONText { seesAll ? .string(text) : .null }
        return .object([
            ("job-id", .number(id)), ("job-name", shown(name)),
            ("job-state", .string(state.description)), ("job-state-message", shown(message)),
            ("warnings", .strings(seesAll ? warnings : [])),
            ("checks", .array(seesAll ? checks.map(\.json) : [])),
            ("time-at-creation", .time(createdAt)), ("time-at-completed", .time(completedAt)),
            ("images", .number(images)), ("pages", .optional(pages)),
            ("media", shown(media.name)), ("media-label", shown(media.localizedName)),
            ("sides", shown(duplex.rawValue)), ("documents", .number(documents)),
            ("requests", .number(requests)), ("folder", .string(folder)),
        ])
    }
}
