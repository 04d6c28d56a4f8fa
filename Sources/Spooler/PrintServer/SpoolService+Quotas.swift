// Lists and changes the quotas.

public import PrintModel
import PrintSpool

extension SpoolService {
    /// Returns all quotas.
    public func quotas() async throws -> [Quota] { try await spool.quotas() }

    /// Returns what a user has used of each quota in the current period, and the quotas that limit each job.
    public func quotaStandings(
        of user: String, groups: @escaping @Sendable ([String]) async throws -> Set<String>
    ) async throws -> (standings: [QuotaStanding], perJob: [Quota]) {
        try await spool.quotaStandings(of: user, groups: groups)
    }

    /// Changes the quotas, or what a user has used.
    public func changeQuotas(_ change: QuotaChange) async throws { try await spool.changeQuotas(change) }
}
