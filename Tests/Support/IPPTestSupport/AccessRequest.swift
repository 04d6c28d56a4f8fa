// Makes a request of each operation of the access table.

package import IPP
package import PrintIPP
import PrintModel

/// The jobs and the subscription of one owner that the requests of access tests name.
package struct AccessTargets: Codable, Sendable {
    /// The printer of the jobs, and another printer.
    package var printer, otherPrinter: String
    /// The owner of the jobs and the subscription.
    package var owner: String
    /// A waiting job, two jobs that wait for documents, an ended job and a suspended job.
    package var waiting, incoming, unclosed, ended, suspended: Int
    package var subscription: Int32

    package init(
        printer: String, otherPrinter: String, owner: String, waiting: Int, incoming: Int, unclosed: Int, ended: Int,
        suspended: Int, subscription: Int32
    ) {
        (self.printer, self.otherPrinter, self.owner) = (printer, otherPrinter, owner)
        (self.waiting, self.incoming, self.unclosed) = (waiting, incoming, unclosed)
        (self.ended, self.suspended, self.subscription) = (ended, suspended, subscription)
    }

    /// Returns a request for an object of the owner, and its document.
    ///
    /// - Parameter ownership: Whether requests without an object say that they concern the requester's objects
    ///   (`my-jobs`).
    package func request(
        _ operation: IPP.Operation, _ ownership: Ownership, as claimedName: String? = nil
    ) -> (message: Message, document: String) {
        let parts = parts(of: operation, ownership)
        let name = claimedName.map { [Attribute("requesting-user-name", .name($0))] } ?? []
        let message = Message(
            version: .v2_0, operation: operation, requestID: 1,
            groups: [
                .operation(
                    [Attribute("printer-uri", .uri("ipp://localhost/printers/\(printer)"))] + name + parts.attributes)
            ] + parts.groups)
        return (message, parts.document)
    }

    /// The subscription group of a request that subscribes to the end of jobs.
    private static let subscription = AttributeGroup(
        .subscription,
        [Attribute("notify-pull-method", .keyword("ippget")), Attribute("notify-events", .keyword("job-completed"))])

    private func parts(
        of operation: IPP.Operation, _ ownership: Ownership
    ) -> (attributes: [Attribute], groups: [AttributeGroup], document: String) {
        func number(_ name: String, _ value: Int) -> Attribute { Attribute(name, .integer(Int32(value))) }
        let mine = Attribute("my-jobs", .boolean(ownership == .own))
        var attributes: [Attribute] = []
        var groups: [AttributeGroup] = []
        var document = ""
        switch operation {
        case .printJob: document = "%PDF-1.4"
        case .sendDocument:
            (attributes, document) = (
                [number("job-id", incoming), Attribute("last-document", .boolean(true))], "%PDF-1.4"
            )
        case .closeJob:
            attributes = [number("job-id", unclosed)]
        case .getJobs:
            attributes = [Attribute("requested-attributes", .keyword("all")), Attribute("which-jobs", .keyword("all"))]
        case .getJobAttributes:
            attributes = [
                number("job-id", waiting),
                Attribute(
                    "requested-attributes", .keyword("all"), .keyword("printq-why"), .keyword("printq-condition"),
                    .keyword("printq-output-folder"), .keyword("printq-job-events")),
            ]
        case .cancelJobs, .purgeJobs: attributes = [mine]
        case .printqGetAccounting:
            attributes = [mine] + (ownership == .own ? [] : [Attribute("printq-user", .name(owner))])
        case .printqGetQuotas: attributes = ownership == .own ? [] : [Attribute("printq-user", .name(owner))]
        case .printqChangeQuotas: attributes = QuotaChange.reset(user: "eve").attributes
        case .printqChangeHosts: attributes = HostChange.drain(host: "a").attributes
        case .printqChangeTokens:
            attributes = TokenChange.create(name: "new", user: "ann", scope: .look, lifetime: nil).attributes
        case .printqChangeUsers: attributes = UserChange.remove(name: "eve").attributes
        case .resubmitJob: attributes = [number("job-id", ended)]
        case .resumeJob, .restartJob: attributes = [number("job-id", suspended)]
        case .cupsMoveJob:
            attributes = [number("job-id", waiting)]
            groups = [
                AttributeGroup(
                    .job, [Attribute("job-printer-uri", .uri("ipp://localhost/printers/\(otherPrinter)"))])
            ]
        case .setJobAttributes:
            attributes = [number("job-id", waiting)]
            groups = [AttributeGroup(.job, [Attribute("copies", .integer(3))])]
        case .cancelJob, .holdJob, .releaseJob: attributes = [number("job-id", waiting)]
        case .createPrinterSubscriptions, .createJobSubscriptions:
            if operation == .createJobSubscriptions { attributes = [number("notify-job-id", waiting)] }
            groups = [Self.subscription]
        case .getSubscriptionAttributes, .renewSubscription, .cancelSubscription:
            attributes = [Attribute("notify-subscription-id", .integer(subscription))]
        case .getNotifications: attributes = [Attribute("notify-subscription-ids", .integer(subscription))]
        case .cupsAddModifyPrinter:
            groups = [AttributeGroup(.printer, [Attribute("printer-info", .text("changed"))])]
        default: break
        }
        return (attributes, groups, document)
    }
}
