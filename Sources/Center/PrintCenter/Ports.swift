// The ports through which the Print Center uses the parts of the server that IPP does not offer.

package import IPPServer
package import OpenMetrics
package import SpoolerClient

/// The services of a server that the Print Center calls directly instead of over IPP.
///
/// If a service is nil, its routes respond with status 404.
package struct Ports: Sendable {
    /// The service that stores uploaded documents for new jobs.
    package var uploads: (any Uploads)?
    /// The service that draws the pages of jobs as images.
    package var pages: (any JobPages)?
    /// The service that lays out documents for a preview before the job is submitted.
    package var previews: (any Previews)?
    /// A closure that returns the HTML page of a printer for clients without a session (`printer-more-info`).
    ///
    /// The closure returns nil if the printer does not exist.
    package var printerPage: @Sendable (_ name: String) async -> [UInt8]?
    /// A closure that returns the HTML page at `/` for clients without a session.
    ///
    /// If the closure returns nil, the server redirects the client to the first view.
    package var homePage: @Sendable () async -> [UInt8]? = { nil }
    /// A closure that returns whether a printer ignores clients without a session.
    ///
    /// If the name is nil, the closure returns whether all printers ignore these clients.
    ///
    /// The server closes the connection of an ignored client without a response, as if the printer were switched off.
    package var isSilent: @Sendable (_ name: String?) async -> Bool = { _ in false }
    /// A closure that returns the number of the newest event.
    ///
    /// The property is nil if the server reports this number over IPP.
    package var latestEvent: (@Sendable () async -> Int)?
    /// The connection that sends control commands to simulated printers.
    package var simulators: SimulatorPort?
    /// The service for the stored jobs of simulated printers and the page images of these jobs.
    package var simulatedJobs: (any SimulatedJobs)?
    /// A closure that returns the user of a program that presents a token instead of a session (RFC 6750); nil for an
    /// unknown token.
    ///
    /// A web page of another site cannot send the header with the token.
    package var program: @Sendable (_ token: String) async -> SessionUser? = { _ in nil }
    /// The logins of users on the network; nil for the Print Center of the users of this machine.
    package var logins: NetworkLogins?
    /// A closure that makes a backup of the spool.
    ///
    /// If `includesSecrets` is true, the backup contains the credentials for printers and the private key for TLS.
    package var backup: (@Sendable (_ includesSecrets: Bool) async throws -> BackupStream)?
    package var metrics: (@Sendable () async -> [MetricFamily])?
    package var health: @Sendable () async -> HealthReport = { HealthReport() }
    /// A closure that is called when a client starts to wait for events, or starts to receive a backup.
    ///
    /// The closure returns another closure, which the caller calls at the end of the wait or of the backup.
    package var noteWaiting: @Sendable () -> (@Sendable () -> Void)

    /// Creates ports without the optional services.
    package init(
        printerPage: @escaping @Sendable (_ name: String) async -> [UInt8]? = { _ in nil },
        noteWaiting: @escaping @Sendable () -> (@Sendable () -> Void) = { {} }
    ) {
        (self.printerPage, self.noteWaiting) = (printerPage, noteWaiting)
    }
}

/// A service that stores uploaded documents for new jobs.
package protocol Uploads: Sendable {
    /// Receives an uploaded document, and detects its format.
    ///
    /// - Throws: `Problem` with status 413, 429 or 507 if the document or its user exceeds a limit, or the disk is
    ///   full.
    func receive(_ body: WebBody, name: String?, format: String?, of user: CenterUser) async throws -> UploadedFile

    func upload(_ id: String, of user: CenterUser) async throws(Problem) -> UploadedFile

    /// Removes an uploaded document of a user.
    func delete(_ id: String, of user: CenterUser) async throws(Problem)

    /// Returns the uploaded documents of a user, in the given order.
    ///
    /// - Parameter hasPassword: Whether the user has entered the password of encrypted documents.
    /// - Throws: `Problem` with status 422 if an uploaded document does not exist, cannot be printed, or requires a
    ///   password.
    func documents(_ ids: [String], hasPassword: Bool, of user: CenterUser) async throws(Problem) -> [DocumentFile]

    /// Deletes the uploaded files after their documents have been submitted as a job.
    func remove(_ ids: [String], of user: CenterUser) async

    /// The number of uploaded documents of all users, and their total size in bytes.
    var usage: (uploads: Int, bytes: Int) { get async }
}
