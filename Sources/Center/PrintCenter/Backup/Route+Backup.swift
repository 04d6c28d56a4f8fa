// The route for backups of the spool.

import Glibc
import HTTPTypes
package import IPPServer

/// A function that sends the archive of a backup piece by piece.
package typealias BackupStream = @Sendable (WebAnswer.Send) async throws -> Void

extension Route {
    /// The route for backups.
    ///
    /// A backup contains the documents of all users. A backup for root or for the user of the server process also
    /// contains the credentials for printers and the private key for TLS. These two users can already read the files of
    /// the spool.
    static let backupRoutes: [Route] = [
        .onUnixSocket(.get, "/api/v1/backup", .administrator, "Returns a backup of the spool as a tar archive.") {
            call in
            guard let backup = call.center.ports.backup else {
                throw Problem.notFound("\(call.center.configuration.service) does not support backups")
            }
            let waiting = Waiting(call.center.ports.noteWaiting())
            let stream = try await backup(call.user.uid == 0 || call.user.uid == geteuid())
            return WebAnswer(
                .ok, headers: [.contentType: "application/x-tar", .cacheControl: "no-store"],
                body: .stream(length: nil) { send in
                    try await stream(send)
                    withExtendedLifetime(waiting) {}
                })
        }
    ]
}

/// A token that marks a request as in progress.
///
/// The request counts as ended when the last reference to the token is released, even if the body of the response is
/// never sent.
private final class Waiting: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
