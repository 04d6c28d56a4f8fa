// Lists and counts jobs.

import IPP
package import SpoolerClient

/// The filter for a list of jobs, from the query of a URL.
struct JobQuery: Sendable {
    /// The groups of jobs that a list can contain.
    enum Show: String, CaseIterable {
        case all, active, attention, held, ended
    }

    let show: Show
    let printer: String?
    private let owner: String?
    private let search: String?

    /// Reads the query parameters `show`, `printer`, `owner` and `q`.
    ///
    /// - Throws: `Problem` with status 422 for an unknown value of `show`, or if the value of `q` has more than 255
    ///   bytes.
    init(_ query: QueryText) throws(Problem) {
        let name = query["show"] ?? Show.all.rawValue
        guard let show = Show(rawValue: name) else {
            throw .wrong("show", "'show' must be one of \(Show.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.show = show
        (printer, owner, search) = (query["printer"], query["owner"], query["q"])
        if let search, search.utf8.count > 255 { throw .wrong("q", "'q' must not be longer than 255 bytes") }
    }

    /// The operation attributes of the Get-Jobs request for the filter.
    var attributes: [Attribute] {
        let which =
            switch show {
            case .all: "all"
            case .active, .attention: "not-completed"
            case .held: "pending-held"
            case .ended: "completed"
            }
        var attributes = [Attribute("which-jobs", .keyword(which))]
        if show == .active { attributes.append(Attribute("printq-held", .boolean(false))) }
        if show == .attention { attributes.append(Attribute("printq-attention", .boolean(true))) }
        if let owner { attributes.append(Attribute("printq-owner", .name(owner))) }
        if let search { attributes.append(Attribute("printq-search", .text(search))) }
        return attributes
    }

    /// Returns the number of all jobs in the list, and the number of unfinished jobs in the list.
    func total(in counts: JobTotals) -> (count: Int, queue: Int) {
        switch show {
        case .all: (counts["all"], counts["queue"])
        case .active: (counts["active"], counts["active"])
        case .attention: (counts["attention"], counts["attention"])
        case .held: (counts["held"], counts["held"])
        case .ended: (counts["ended"], 0)
        }
    }
}

/// The job counts: the number of jobs in each group, and in each printer's queue (`printq-job-counts`).
struct JobTotals: Sendable {
    private let group: AttributeGroup

    static let attributeName = "printq-job-counts"
    private static let names = ["all", "queue", "active", "attention", "held", "ended"]

    /// Reads the job counts from the response to Get-Jobs.
    init(_ answer: Message) {
        let collection = answer[.operation]?[Self.attributeName]?.first?.collectionValue
        group = AttributeGroup(.job, collection?.members ?? [])
    }

    subscript(name: String) -> Int { Int(group.integer(name) ?? 0) }

    /// The job counts as JSON.
    var json: JSONText {
        let printers = (group["printers"]?.values ?? []).compactMap(\.collectionValue).map {
            AttributeGroup(.printer, $0.members)
        }
        return .object(
            Self.names.map { ($0, .number(self[$0])) } + [
                (
                    "printers",
                    .object(
                        printers.map { printer in
                            (
                                printer.string("printer-name") ?? "",
                                .number(Int(printer.integer("queued-job-count") ?? 0))
                            )
                        })
                )
            ])
    }
}

extension Call {
    /// Returns one page of the list of jobs.
    func jobList() async throws -> JSONText {
        let wanted = try JobQuery(query)
        let limit = try query.number("limit", in: 1...500, default: 100)
        let offset = try query.number("offset", in: 0...Int(Int32.max) - 1, default: 0)
        var attributes = wanted.attributes + [Attribute("limit", .integer(Int32(limit)))]
        if let place = query["after"] { attributes.append(Attribute("printq-after", .name(place))) }
        if offset > 0 { attributes.append(Attribute("first-index", .integer(Int32(offset + 1)))) }
        // The event is read first, so that the client can follow all changes after the list.
        let event = try await latestEvent()
        let spooler = spooler
        async let facts = PrinterFacts.all(of: spooler)
        let answer = try await spooler.ask(
            .getJobs, printer: wanted.printer, attributes: attributes,
            requested: JobSummary.attributeNames + [JobTotals.attributeName])
        let printers = try await facts
        let jobs = answer.groups(.job).map { JobSummary($0, for: user, printer: printers[JobView($0).printer]) }
        let (count, queue) = wanted.total(in: JobTotals(answer))
        let place = jobs.count == limit ? jobs.last?.group.string("printq-place") : nil
        return .object([
            ("jobs", .array(jobs.map(\.json))), ("next", .optional(place)), ("count", .number(count)),
            ("queue", .number(queue)), ("event", .number(event)),
        ])
    }

    /// Returns the number of jobs in each group, such as held jobs.
    func jobCounts() async throws -> JSONText {
        let wanted = try JobQuery(query)
        let answer = try await spooler.ask(
            .getJobs, printer: wanted.printer, attributes: wanted.attributes + [Attribute("limit", .integer(1))],
            requested: ["job-id", JobTotals.attributeName])
        return JobTotals(answer).json
    }

    /// Returns a job with the JSON members that a list of jobs contains.
    ///
    /// - Throws: `SpoolerClientError` if the job does not exist.
    package func job(_ id: Int) async throws(SpoolerClientError) -> JobSummary {
        let group = try await spooler.job(id, JobSummary.attributeNames)
        return JobSummary(group, for: user, printer: try await printerFacts(JobView(group).printer))
    }

    /// Returns the state of a printer; nil if the printer does not exist.
    package func printerFacts(_ name: String) async throws(SpoolerClientError) -> PrinterFacts? {
        do throws(SpoolerClientError) {
            return PrinterFacts(try await spooler.printer(name, PrinterFacts.attributeNames))
        } catch {
            guard error.refusal?.status == .clientErrorNotFound else { throw error }
            return nil
        }
    }
}
