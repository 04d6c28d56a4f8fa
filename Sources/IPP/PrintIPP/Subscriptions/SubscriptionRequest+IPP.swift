// Reads and writes subscription template attributes.

import IPP
import PrintModel

/// The result of reading a group of subscription template attributes (RFC 3995 §5.2).
struct SubscriptionReading: Sendable {
    /// The accepted request, or `nil` if the subscription is rejected.
    var wish: SubscriptionRequest?
    /// The status of the subscription request (`notify-status-code`).
    var status = Status.successfulOk
    var unsupported: [Attribute] = []

    fileprivate init(_ wish: SubscriptionRequest) { self.wish = wish }

    fileprivate mutating func refuse(_ status: Status, _ attributes: [Attribute] = []) {
        guard wish != nil else { return }
        wish = nil
        self.status = status
        unsupported += attributes
    }

    /// Records an attribute that was ignored or substituted.
    fileprivate mutating func leaveOut(_ attribute: Attribute, _ status: Status? = nil) {
        unsupported.append(attribute)
        guard wish != nil, self.status == .successfulOk else { return }
        self.status = status ?? .successfulOkIgnoredOrSubstitutedAttributes
    }
}

extension SubscriptionRequest {
    /// Reads a group of subscription template attributes.
    ///
    /// - Parameters:
    ///   - base: The request without the template attributes: the subscriber, and the printer or job.
    static func read(_ group: AttributeGroup, onto base: SubscriptionRequest) -> SubscriptionReading {
        var reading = SubscriptionReading(base)
        if let recipient = group["notify-recipient-uri"] {
            reading.refuse(.clientErrorURISchemeNotSupported, [recipient])  // push delivery is not supported
        } else if group.string("notify-pull-method") != "ippget" {
            reading.refuse(
                .clientErrorAttributesOrValuesNotSupported, group["notify-pull-method"].map { [$0] } ?? [])
        }
        for attribute in group.attributes { reading.take(attribute, isOfJob: base.jobID != nil) }
        if reading.wish?.filter.keywords.isEmpty == true {
            reading.refuse(.clientErrorAttributesOrValuesNotSupported)
        }
        return reading
    }

    /// The events of a subscription if the client requests no specific events.
    static let defaultKeywords = ["job-completed"]

    /// The value 0 requests an unlimited lease.
    static func granted(_ lease: Int32) -> Int { lease <= 0 ? longestLease : min(Int(lease), longestLease) }
}

extension SubscriptionReading {
    fileprivate mutating func take(_ attribute: Attribute, isOfJob: Bool) {
        switch attribute.name {
        case "notify-recipient-uri", "notify-pull-method": break
        case "requesting-user-name": break  // sent in this group by pycups and read by `Exchange`
        case "notify-events": takeEvents(attribute)
        case "notify-attributes":
            let known = attribute.values.compactMap(\.keywordValue).filter(
                SubscriptionRequest.supportedAttributes.contains)
            wish?.attributes = Set(known)
            if known.count < attribute.values.count { leaveOut(attribute) }
        case "notify-user-data":
            guard case .octetString(let data)? = attribute.first, data.count <= 63 else { return leaveOut(attribute) }
            wish?.userData = data
        case "notify-charset":
            if !["utf-8", "us-ascii"].contains(attribute.stringValue?.lowercased()) { leaveOut(attribute) }
        case "notify-natural-language":
            if attribute.stringValue?.lowercased().hasPrefix("en") != true { leaveOut(attribute) }
        case "notify-lease-duration":
            guard let asked = attribute.intValue, !isOfJob else { return leaveOut(attribute) }
            let granted = SubscriptionRequest.granted(asked)
            wish?.lease = granted
            if granted != Int(asked) { leaveOut(attribute) }
        case "notify-time-interval":
            guard let seconds = attribute.intValue, seconds >= 0 else { return leaveOut(attribute) }
            wish?.progressInterval = Int(seconds)
        case "printq-events-after":
            guard let number = attribute.intValue, number >= 0 else {
                return refuse(.clientErrorAttributesOrValuesNotSupported, [attribute])
            }
            wish?.after = Int(number)
        case "printq-job-ids":
            if !isOfJob { wish?.filter.jobs = Set(attribute.values.compactMap(\.intValue).map(Int.init)) }
        default: leaveOut(Attribute(attribute.name, .outOfBand(.unsupported)))
        }
    }

    private mutating func takeEvents(_ attribute: Attribute) {
        let asked = attribute.values.compactMap(\.keywordValue).unique
        let known = asked.filter { $0 != "none" && EventFilter.supported.contains($0) }
        wish?.filter.keywords = Array(known.prefix(EventFilter.mostKeywords))
        let unknown = asked.filter { !known.contains($0) }
        if known.count > EventFilter.mostKeywords {
            let rest = known.dropFirst(EventFilter.mostKeywords) + unknown
            leaveOut(Attribute("notify-events", rest.map { .keyword($0) }), .successfulOkTooManyEvents)
        } else if !unknown.isEmpty {
            leaveOut(Attribute("notify-events", unknown.map { .keyword($0) }))
        }
    }
}

extension EventSubscription {
    /// Returns the attributes of the subscription (RFC 3995 §5.3, §5.4) as template and description attributes.
    func attributes(at now: UnixTime) -> (template: [Attribute], description: [Attribute]) {
        var template = [
            Attribute("notify-pull-method", .keyword("ippget")),
            Attribute("notify-events", wish.filter.keywords.map { .keyword($0) }),
            Attribute("notify-user-data", .octetString(wish.userData)),
            Attribute("notify-charset", .charset("utf-8")),
            Attribute("notify-natural-language", .naturalLanguage("en")),
            Attribute("notify-time-interval", .integer(Int32(clamping: wish.progressInterval))),
        ]
        if !wish.attributes.isEmpty {
            template.append(Attribute("notify-attributes", wish.attributes.sorted().map { .keyword($0) }))
        }
        var description = [
            Attribute("notify-subscription-id", .integer(Int32(clamping: id))),
            Attribute("notify-sequence-number", .integer(Int32(clamping: last.number))),
            Attribute("notify-printer-uri", .uri(wish.printerURI)),
            Attribute("notify-subscriber-user-name", .name(wish.subscriber)),
        ]
        if let jobID = wish.jobID {
            description.append(Attribute("notify-job-id", .integer(Int32(clamping: jobID))))
        } else {
            template.append(leaseAttribute)
            description.append(Attribute("notify-lease-expiration-time", .seconds(expiresAt)))
            description.append(Attribute("notify-printer-up-time", .seconds(now)))
        }
        return (template, description)
    }

    var leaseAttribute: Attribute { Attribute("notify-lease-duration", .integer(Int32(clamping: wish.lease))) }
}
