// Quotas as IPP attributes, in both directions.

package import IPP
package import PrintModel

extension Quota {
    private static let listName = "printq-quotas"

    package static func attribute(of quotas: [Quota]) -> Attribute {
        Attribute(listName, quotas.map { .collection(Collection($0.attributes)) })
    }

    /// Returns the quotas in the printer attributes of a response; damaged quotas are ignored.
    package static func list(in group: AttributeGroup?) -> [Quota] {
        group?[listName]?.values.compactMap { $0.collectionValue.flatMap { Quota(AttributeGroup(.job, $0.members)) } }
            ?? []
    }

    /// The subject, the period and the limits; a limit that the quota does not have is missing.
    package var attributes: [Attribute] {
        func limit(_ name: String, _ value: Int?) -> [Attribute] {
            value.map { [Attribute(name, .integer(Int32(clamping: $0)))] } ?? []
        }
        return subject.attributes + [Attribute("job-quota-period", .keyword(period.rawValue))]
            + limit("job-page-limit", pages) + limit("job-sheet-limit", sheets) + limit("job-copies-limit", copies)
            + (color.map { [Attribute("printq-color-hours", .name($0.description))] } ?? [])
    }

    fileprivate init?(_ group: AttributeGroup) {
        guard let subject = Subject(attributes: group),
            let period = group.string("job-quota-period").flatMap(Period.init)
        else { return nil }
        func limit(_ name: String) -> Int? { group.integer(name).map(Int.init) }
        self.init(
            subject, per: period, pages: limit("job-page-limit"), sheets: limit("job-sheet-limit"),
            copies: limit("job-copies-limit"))
        if let hours = group.string("printq-color-hours") {
            guard let color = ColorHours(hours) else { return nil }
            self.color = color
        }
    }
}

extension Quota.Subject {
    fileprivate var attributes: [Attribute] {
        [Attribute("printq-quota-subject", .keyword(kind))]
            + (name.map { [Attribute("printq-quota-name", .name($0))] } ?? [])
    }

    fileprivate init?(attributes group: AttributeGroup) {
        guard let kind = group.string("printq-quota-subject") else { return nil }
        self.init(kind: kind, name: group.string("printq-quota-name") ?? "")
    }
}

extension QuotaStanding {
    private static let listName = "printq-quota-standings"

    package static func attribute(of standings: [QuotaStanding]) -> Attribute {
        Attribute(listName, standings.map { .collection(Collection($0.attributes)) })
    }

    /// Returns the standings in the printer attributes of a response; damaged values are ignored.
    package static func list(in group: AttributeGroup?) -> [QuotaStanding] {
        group?[listName]?.values.compactMap {
            $0.collectionValue.flatMap { QuotaStanding(AttributeGroup(.job, $0.members)) }
        } ?? []
    }

    package var attributes: [Attribute] {
        func number(_ name: String, _ value: Int) -> Attribute { Attribute(name, .integer(Int32(clamping: value))) }
        return quota.subject.attributes + [
            Attribute("job-quota-period", .keyword(quota.period.rawValue)),
            Attribute("printq-quota-unit", .keyword(unit.rawValue)), number("printq-quota-limit", limit),
            number("printq-quota-used", used), number("printq-quota-added", added),
            number("printq-quota-reserved", reserved), number("printq-quota-remaining", remaining),
            Attribute("printq-quota-ends", .moment(endsAt)),
        ]
    }

    private init?(_ group: AttributeGroup) {
        func number(_ name: String) -> Int { group.integer(name).map(Int.init) ?? 0 }
        guard let subject = Quota.Subject(attributes: group),
            let period = group.string("job-quota-period").flatMap(Quota.Period.init),
            let unit = group.string("printq-quota-unit").flatMap(Quota.Unit.init),
            let endsAt = group["printq-quota-ends"]?.timeValue
        else { return nil }
        let limit = number("printq-quota-limit")
        self.init(
            quota: Quota(
                subject, per: period, pages: unit == .pages ? limit : nil, sheets: unit == .sheets ? limit : nil),
            unit: unit, limit: limit, used: number("printq-quota-used"), added: number("printq-quota-added"),
            reserved: number("printq-quota-reserved"), endsAt: endsAt)
    }
}

extension QuotaChange {
    package var attributes: [Attribute] {
        func change(_ name: String) -> Attribute { Attribute("printq-quota-change", .keyword(name)) }
        switch self {
        case .set(let quota): return [change("set")] + quota.attributes
        case .remove(let subject, let period):
            return [change("remove")] + subject.attributes
                + (period.map { [Attribute("job-quota-period", .keyword($0.rawValue))] } ?? [])
        case .topUp(let user, let pages, let sheets):
            return [
                change("top-up"), Attribute("printq-user", .name(user)),
                Attribute("printq-quota-pages", .integer(Int32(clamping: pages))),
                Attribute("printq-quota-sheets", .integer(Int32(clamping: sheets))),
            ]
        case .refund(let job): return [change("refund"), Attribute("job-id", .integer(Int32(clamping: job)))]
        case .reset(let user): return [change("reset"), Attribute("printq-user", .name(user))]
        }
    }

    /// Creates a change from operation attributes.
    ///
    /// - Throws: `client-error-bad-request` if an attribute is missing or has an invalid value.
    init(attributes group: AttributeGroup) throws(IPPFailure) {
        func number(_ name: String) -> Int { group.integer(name).map(Int.init) ?? 0 }
        switch group.string("printq-quota-change") {
        case "set":
            guard let quota = Quota(group), quota.isValid else {
                throw .badRequest(
                    "a quota must have a subject, a period and at least one limit; only a quota per job limits copies "
                        + "and color")
            }
            self = .set(quota)
        case "remove":
            guard let subject = Quota.Subject(attributes: group) else {
                throw .badRequest("printq-quota-subject must be user, group, guests or everyone")
            }
            let period = group.string("job-quota-period")
            guard period == nil || period.flatMap(Quota.Period.init) != nil else {
                throw .badRequest("job-quota-period must be job, day, week or month")
            }
            self = .remove(subject, period.flatMap(Quota.Period.init))
        case "top-up":
            let (pages, sheets) = (number("printq-quota-pages"), number("printq-quota-sheets"))
            guard pages >= 0, sheets >= 0, pages + sheets > 0 else {
                throw .badRequest("printq-quota-pages or printq-quota-sheets must be at least 1")
            }
            self = .topUp(user: try Self.user(in: group), pages: pages, sheets: sheets)
        case "refund": self = .refund(job: number("job-id"))
        case "reset": self = .reset(user: try Self.user(in: group))
        default: throw .badRequest("printq-quota-change must be set, remove, top-up, refund or reset")
        }
    }

    private static func user(in group: AttributeGroup) throws(IPPFailure) -> String {
        guard let user = group.string("printq-user"), !user.isEmpty else {
            throw .badRequest("printq-user must be the name of a user")
        }
        return user
    }
}
