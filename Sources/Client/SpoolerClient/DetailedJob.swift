// Reads a job with its options, documents and events from its IPP attributes.

package import IPP
import PrintIPP
public import PrintModel

/// A job with its options, documents and events, which `printq show` shows.
///
///     let job = try await spooler.job(7)
///     job.state                               // processing: a property of `JobView`
///     job.ticket.duplex                       // two-sided-long-edge
///     job.timeline.last?.text
@dynamicMemberLookup
public struct DetailedJob: Sendable {
    /// The state and the progress of the job.
    public let job: JobView
    /// The print options that the job sets.
    public let ticket: JobTicket
    /// The cause of the state and the remedies; nil if the user may not see the reason.
    public let condition: JobCondition?
    /// The documents of the job, in order; empty if the user may not see the documents.
    public let documents: [Document]
    /// Whether the documents are stored, so that the job can be printed again.
    public let keepsDocuments: Bool
    /// The events of the job, oldest first.
    public let timeline: [TimelineEvent]
    /// The warnings about the printed pages, one sentence each.
    public let warnings: [String]
    /// The number of the job of which this job is a reprint; nil if there is none.
    public let reprintOf: Int?
    /// The name of the printer from which the job was moved last; nil if the job was not moved.
    public let movedFrom: String?

    /// A document of a job.
    public struct Document: Hashable, Sendable {
        /// The number of the document in the job, from 1.
        public var number: Int
        /// The name of the document, usually of its file; nil if it has no name.
        public var name: String?
        /// The format; nil if the format is unknown.
        public var format: DocumentFormat?
        /// The size in bytes; nil if the size is unknown.
        public var size: Int?
    }

    /// An event of a job.
    public struct TimelineEvent: Hashable, Sendable {
        /// The number of the event in the log of `printd`.
        public var number: Int
        /// The time of the event; nil if `printd` does not report the time.
        public var time: UnixTime?
        /// The kind of the event.
        public var kind: TimelineKind
        /// The IPP keyword of the event, such as `job-progress`.
        public var keyword: String
        /// The page in progress; nil if unknown, or if the event does not concern a page.
        public var page: Int?
        /// The number of pages of the job; nil if unknown.
        public var pages: Int?
        /// The message of the event; empty if there is none.
        public var text: String

        init(_ group: AttributeGroup) {
            number = Int(group.integer("printq-event-number") ?? 0)
            time = group.integer("printer-up-time").map(UnixTime.init)
            kind = group.string("printq-timeline-kind").flatMap(TimelineKind.init) ?? .changed
            keyword = group.string("notify-subscribed-event") ?? ""
            page = group.integer("printq-page").map(Int.init)
            pages = group.integer("job-pages").map(Int.init)
            text = (group.string("notify-text") ?? "").printable
        }
    }

    /// The job attributes to request from printd.
    package static let attributeNames =
        JobView.followedNames + [
            "all", JobCondition.attributeName, "printq-resume-from", "printq-resume-words", "printq-moved-from",
            "printq-warnings", "printq-documents", "printq-documents-kept", "printq-timeline",
        ]

    /// Creates a job from its attributes.
    ///
    /// Missing attributes become empty values.
    package init(_ group: AttributeGroup) {
        job = JobView(group)
        let names = Set(PrintOption.all.map(\.name) + ["media-col"])
        ticket = JobTicket.read(group.attributes.filter { names.contains($0.name) }, at: 0).ticket
        condition = JobCondition(attributes: group)
        documents = Self.collections("printq-documents", in: group).map {
            Document(
                number: Int($0.integer("document-number") ?? 0), name: $0.string("document-name")?.printable,
                format: $0.string("document-format").map(DocumentFormat.init),
                size: $0.integer("printq-octets").map(Int.init))
        }
        keepsDocuments = group.boolean("printq-documents-kept") ?? false
        timeline = Self.collections("printq-timeline", in: group).map(TimelineEvent.init)
        warnings = group.strings("printq-warnings").map(\.printable)
        reprintOf = group.integer("parent-job-id").map(Int.init)
        movedFrom = group.string("printq-moved-from")
    }

    /// A property of the job's state and progress.
    public subscript<Value>(dynamicMember property: KeyPath<JobView, Value>) -> Value { job[keyPath: property] }

    private static func collections(_ name: String, in group: AttributeGroup) -> [AttributeGroup] {
        (group[name]?.values ?? []).compactMap(\.collectionValue).map { AttributeGroup(.document, $0.members) }
    }
}
