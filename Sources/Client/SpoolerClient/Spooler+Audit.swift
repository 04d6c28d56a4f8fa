// Reads the audit log.

import IPP
import PrintIPP
package import PrintModel

extension Spooler {
    /// Returns the newest entries of the audit log, oldest first (Get-Audit).
    ///
    /// - Throws: `noPermission` if the user is not an administrator.
    package func audit(_ query: AuditQuery) async throws(SpoolerClientError) -> [AuditEntry] {
        var attributes = [Attribute("limit", .integer(Int32(clamping: query.limit)))]
        if let user = query.user { attributes.append(Attribute("printq-user", .name(user))) }
        if let job = query.job { attributes.append(Attribute("job-id", .integer(Int32(clamping: job)))) }
        if let since = query.since {
            attributes.append(Attribute("printq-since", .dateTime(DateTime(unixTime: Int(since)))))
        }
        return try await ask(.printqGetAudit, attributes: attributes).groups(.job).map(AuditEntry.init(attributes:))
    }
}
