// Reads and writes quotas, and counts what users have printed.

package import PrintModel

extension SQLTransaction {
    private static var quotaColumns: String { "subject, name, period, pages, sheets, copies, color" }

    package func quotas() throws -> [Quota] {
        try rows("SELECT \(Self.quotaColumns) FROM quotas ORDER BY subject, name, period", [], Self.quota)
            .compactMap(\.self)
    }

    package func quotas(thatCanLimit user: String) throws -> [Quota] {
        try rows(
            """
            SELECT \(Self.quotaColumns) FROM quotas
            WHERE subject <> 'user' OR name IN ($1, $2) ORDER BY subject, name, period
            """, [user, GuestName.limited(user)], Self.quota
        ).compactMap(\.self)
    }

    /// Returns the quota in a row; nil for a quota of a kind that this version does not support.
    private static func quota(_ row: Row) throws -> Quota? {
        guard let subject = Quota.Subject(kind: try row.string(0), name: try row.string(1)),
            let period = Quota.Period(rawValue: try row.string(2))
        else { return nil }
        return Quota(
            subject, per: period, pages: try row.optionalInt(3), sheets: try row.optionalInt(4),
            copies: try row.optionalInt(5), color: try row.optionalString(6).flatMap(ColorHours.init))
    }

    package func set(_ quota: Quota) throws {
        try run(
            """
            INSERT INTO quotas (\(Self.quotaColumns)) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (subject, name, period) DO UPDATE SET pages = excluded.pages, sheets = excluded.sheets,
                copies = excluded.copies, color = excluded.color
            """,
            [
                quota.subject.kind, quota.subject.name ?? "", quota.period.rawValue, quota.pages, quota.sheets,
                quota.copies, quota.color?.description,
            ])
    }

    package func removeQuotas(of subject: Quota.Subject, per period: Quota.Period?) throws -> Int {
        var query = SQLQuery("DELETE FROM quotas")
        query.sql += " WHERE subject = \(query.bind(subject.kind)) AND name = \(query.bind(subject.name ?? ""))"
        if let period { query.sql += " AND period = \(query.bind(period.rawValue))" }
        return try change(query.sql, query.parameters)
    }

    // MARK: - Credits

    package func insert(_ credit: QuotaCredit) throws -> Bool {
        try change(
            """
            INSERT INTO quota_credits (owner, kind, pages, sheets, job_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (job_id) DO NOTHING
            """,
            [
                credit.owner, credit.kind.rawValue, credit.amounts.pages, credit.amounts.sheets, credit.jobID,
                credit.createdAt,
            ]) > 0
    }

    package func removeQuotaCredits(before time: UnixTime) throws {
        try run("DELETE FROM quota_credits WHERE created_at < $1", [time])
    }

    package func printed(byJob id: Int) throws -> (owner: String, amounts: QuotaAmounts)? {
        try rows("SELECT owner, impressions, sheets FROM accounting WHERE job_id = $1", [id]) { row in
            (try row.string(0), QuotaAmounts(pages: try row.int(1), sheets: try row.int(2)))
        }.first
    }

    // MARK: - Counts

    package func quotaUsage(of owner: String, since start: UnixTime) throws -> QuotaUsage {
        // Everything before the last reset does not count.
        let reset: (id: Int, time: UnixTime) =
            try rows(
                "SELECT id, created_at FROM quota_credits WHERE owner = $1 AND kind = 'reset' ORDER BY id DESC LIMIT 1",
                [GuestName.limited(owner)]
            ) { (id: try $0.int(0), time: try $0.double(1)) }.first ?? (id: 0, time: -.greatestFiniteMagnitude)
        let (condition, value) = Self.condition(owner)
        let since = "\(condition) AND ended_at >= $2 AND ended_at > $3"
        let credits = "owner = $4 AND created_at >= $2 AND id > \(Self.dialect.integer("$5"))"
        let parameters: [(any SQLValue)?] = [value, start, reset.time, GuestName.limited(owner), reset.id]
        func sum(_ column: String, _ table: String, _ condition: String) -> String {
            "(SELECT \(Self.dialect.integer("COALESCE(SUM(\(column)), 0)")) FROM \(table) WHERE \(condition))"
        }
        // One statement, so that a job that ends in the meantime is counted once.
        return try rows(
            """
            SELECT \(sum("impressions", "accounting", since)), \(sum("sheets", "accounting", since)),
                \(sum("pages", "quota_credits", credits)), \(sum("sheets", "quota_credits", credits))
            """, parameters
        ) { row in
            QuotaUsage(
                used: QuotaAmounts(pages: try row.int(0), sheets: try row.int(1)),
                added: QuotaAmounts(pages: try row.int(2), sheets: try row.int(3)))
        }[0]
    }

    package func reservedAmounts(of owner: String, besides jobID: Int?) throws -> QuotaAmounts {
        let (condition, value) = Self.condition(owner)
        let others = "\(Self.dialect.isUnfinished()) AND \(condition) AND id <> $2"
        let parameters: [(any SQLValue)?] = [value, jobID ?? 0]
        // Only the few jobs whose documents are prepared have a known length.
        let known = try jobs(
            SQLQuery(
                "SELECT \(StoredJob.columns(.details)) FROM jobs WHERE \(others) AND impressions IS NOT NULL",
                parameters),
            .details)
        let unknown = try integer("SELECT COUNT(*) FROM jobs WHERE \(others) AND impressions IS NULL", parameters) ?? 0
        return known.map(\.quotaAmounts).reduce(QuotaAmounts(pages: unknown, sheets: unknown), +)
    }

    /// Returns the condition for the rows of an owner, or of all guests with the same address, and its parameter `$1`.
    private static func condition(_ owner: String) -> (sql: String, value: String) {
        GuestName.address(in: owner).map { ("owner LIKE $1", "%@\($0)") } ?? ("owner = $1", owner)
    }
}

extension Job {
    /// The pages and sheets that the job has printed or will print, at least one of each.
    var quotaAmounts: QuotaAmounts {
        QuotaAmounts(
            pages: max(1, impressions.map(impressionCount(ofSides:)) ?? 0, printed.impressions),
            sheets: max(1, sheets ?? 0, printed.sheets))
    }
}
