// Lists and changes the quotas.

import IPP
import PrintIPP
package import PrintModel

extension Spooler {
    /// Returns all quotas (Get-Quotas).
    ///
    /// - Throws: `noPermission` if the user is not an administrator.
    package func quotas() async throws(SpoolerClientError) -> [Quota] {
        let all = Attribute("printq-all-quotas", .boolean(true))
        return Quota.list(in: try await ask(.printqGetQuotas, attributes: [all])[.printer])
    }

    /// Returns what a user has used of each quota in the current period, and the quotas that limit each job of the user
    /// (Get-Quotas).
    ///
    /// - Parameter user: The user; nil for the requester. Only administrators can name other users.
    package func quotaStandings(
        of user: String?
    ) async throws(SpoolerClientError) -> (standings: [QuotaStanding], perJob: [Quota]) {
        let attributes = user.map { [Attribute("printq-user", .name($0))] } ?? []
        let group = try await ask(.printqGetQuotas, attributes: attributes)[.printer]
        return (QuotaStanding.list(in: group), Quota.list(in: group))
    }

    /// Changes the quotas, or what a user has used (Change-Quotas).
    ///
    /// - Returns: All quotas after the change.
    /// - Throws: `notDone` if the change is not possible; `noPermission` if the user is not an administrator.
    package func changeQuotas(_ change: QuotaChange) async throws(SpoolerClientError) -> [Quota] {
        Quota.list(in: try await ask(.printqChangeQuotas, attributes: change.attributes)[.printer])
    }
}
