// The condition of a job as an IPP collection, in both directions.

package import IPP
package import PrintModel

extension JobCondition {
    package static let attributeName = "printq-condition"

    package var attribute: Attribute { Attribute(Self.attributeName, .collection(collection)) }

    /// Creates the condition of a job from the job's attributes; nil if the group contains no valid condition.
    package init?(attributes group: AttributeGroup) {
        guard let collection = group.collection(Self.attributeName) else { return nil }
        self.init(collection)
    }

    private var collection: IPP.Collection {
        var members = [
            Attribute("job-id", .number(job)), Attribute("printer-name", .name(printer)),
            Attribute("printq-phase", .keyword(phase.rawValue)),
            Attribute("printq-cause", .collection(IPP.Collection(cause.members))),
        ]
        if let driver { members.append(Attribute("printq-driver", .collection(IPP.Collection(driver.members)))) }
        if !remedies.isEmpty {
            members.append(
                Attribute("printq-remedies", remedies.map { .collection(IPP.Collection($0.members)) }))
        }
        return IPP.Collection(members)
    }

    private init?(_ collection: IPP.Collection, depth: Int = 0) {
        guard let job = collection.number("job-id"), let printer = collection.string("printer-name"),
            let phase = collection.string("printq-phase").flatMap(JobPhase.init),
            let cause = collection.collection("printq-cause"), let cause = Cause(cause, depth: depth)
        else { return nil }
        let driver = collection.collection("printq-driver").flatMap { PrinterDriver($0) }
        guard cause != .noHost || driver != nil else { return nil }
        self.init(
            job: job, printer: printer, phase: phase, cause: cause, driver: driver,
            remedies: collection.collections("printq-remedies").compactMap { Remedy($0) })
    }
}

extension JobCondition.Cause {
    /// The keyword of the cause (`printq-cause-code`).
    package var code: String {
        switch self {
        case .printerRemoved: "printer-removed"
        case .strictOrder: "strict-order"
        case .paused: "paused"
        case .noHost: "no-host"
        case .interrupted: "interrupted"
        case .undelivered: "undelivered"
        case .overtaken: "overtaken"
        case .queued: "queued"
        case .documentsMissing: "documents-missing"
        case .held: "held"
        case .password(_, false): "password-wait"
        case .password(_, true): "password-locked"
        case .suspended: "suspended"
        case .canceling: "canceling"
        case .printerStopped: "printer-stopped"
        case .inProgress: "in-progress"
        case .canceled: "canceled"
        case .failed: "failed"
        case .completed: "completed"
        }
    }

    fileprivate var members: [Attribute] {
        [Attribute("printq-cause-code", .keyword(code))] + parameters
    }

    private var parameters: [Attribute] {
        func text(_ message: String) -> [Attribute] {
            message.isEmpty ? [] : [Attribute("printq-message", .text(message))]
        }
        switch self {
        case .printerRemoved, .noHost, .overtaken, .documentsMissing: return []
        case .strictOrder(let blocker): return [blocker.attribute]
        case .paused(let message), .printerStopped(let message), .suspended(let message): return text(message)
        case .interrupted(let message, let moment, let place):
            return text(message) + [Attribute("printq-retry-time", .nextSecond(moment)), place.attribute]
        case .undelivered(let message, let moment, let attempt):
            return text(message)
                + [Attribute("printq-retry-time", .nextSecond(moment)), Attribute("printq-attempt", .number(attempt))]
        case .queued(let ahead, let turns, let trouble, let place):
            var members = [Attribute("printq-jobs-before", .number(ahead))]
            if let turns {
                members.append(Attribute("printq-own-jobs-before", .number(turns.own)))
                members.append(Attribute("printq-other-jobs-before", .number(turns.others)))
            }
            if let place { members.append(place.attribute) }
            switch trouble {
            case nil: return members
            case .unreachable: return members + [Attribute("printq-printer-trouble", .keyword("unreachable"))]
            case .stopped(let message, let reasons):
                return members + [Attribute("printq-printer-trouble", .keyword("stopped"))] + text(message)
                    + Self.keywords("printer-state-reasons", reasons)
            }
        case .held(let until):
            return until.map { [Attribute("printq-held-until", .nextSecond($0))] } ?? []
        case .password(let until, _): return [Attribute("printq-held-until", .nextSecond(until))]
        case .canceling(let message): return message.map { [Attribute("printq-message", .text($0))] } ?? []
        case .inProgress(let step, let message):
            return text(message) + (step.map { [Attribute("printq-step", .keyword($0.rawValue))] } ?? [])
        case .canceled(let canceler, let message):
            return [Attribute("printq-canceler", .keyword(canceler.rawValue))] + text(message)
        case .failed(let message, let reasons):
            return text(message) + Self.keywords("job-state-reasons", reasons)
        case .completed(let amount, let message):
            return [
                Attribute("printq-pages", .number(amount.pages)), Attribute("printq-copies", .number(amount.copies)),
                Attribute("printq-sheets", .number(amount.sheets)),
            ] + text(message)
        }
    }

    private static func keywords(_ name: String, _ reasons: [String]) -> [Attribute] {
        reasons.isEmpty ? [] : [Attribute(name, reasons.map { .keyword($0) })]
    }

    /// The maximum number of blocking conditions in each other.
    private static let deepest = 8

    fileprivate init?(_ members: IPP.Collection, depth: Int) {
        let message = members.string("printq-message") ?? ""
        let place = members.collection(ResumePlace.attributeName).flatMap { ResumePlace($0) }
        let moment = members.time("printq-retry-time")
        switch members.string("printq-cause-code") {
        case "printer-removed": self = .printerRemoved
        case "strict-order":
            guard depth < Self.deepest, let blocker = members.collection(JobCondition.attributeName),
                let blocker = JobCondition(blocker, depth: depth + 1)
            else { return nil }
            self = .strictOrder(behind: blocker)
        case "paused": self = .paused(message: message)
        case "no-host": self = .noHost
        case "interrupted":
            guard let moment, let place else { return nil }
            self = .interrupted(message: message, at: moment, from: place)
        case "undelivered":
            guard let moment else { return nil }
            self = .undelivered(message: message, at: moment, attempt: members.number("printq-attempt") ?? 1)
        case "overtaken": self = .overtaken
        case "queued":
            let turns = members.number("printq-own-jobs-before").map {
                FairQueue.JobsAhead(own: $0, others: members.number("printq-other-jobs-before") ?? 0)
            }
            let trouble: JobCondition.PrinterTrouble? =
                switch members.string("printq-printer-trouble") {
                case "unreachable": .unreachable
                case "stopped": .stopped(message: message, reasons: members.strings("printer-state-reasons"))
                default: nil
                }
            self = .queued(
                ahead: members.number("printq-jobs-before") ?? 0, turns: turns, trouble: trouble, from: place)
        case "documents-missing": self = .documentsMissing
        case "held": self = .held(until: members.time("printq-held-until"))
        case "password-wait", "password-locked":
            guard let until = members.time("printq-held-until") else { return nil }
            self = .password(until: until, isLocked: members.string("printq-cause-code") == "password-locked")
        case "suspended": self = .suspended(message: message)
        case "canceling": self = .canceling(message: members.string("printq-message"))
        case "printer-stopped": self = .printerStopped(message: message)
        case "in-progress":
            self = .inProgress(
                members.string("printq-step").flatMap(JobCondition.Step.init), message: message)
        case "canceled":
            self = .canceled(
                by: members.string("printq-canceler").flatMap(JobCondition.Canceler.init) ?? .owner,
                message: message)
        case "failed": self = .failed(message: message, reasons: members.strings("job-state-reasons"))
        case "completed":
            self = .completed(
                JobCondition.Amount(
                    pages: members.number("printq-pages") ?? 0, copies: members.number("printq-copies") ?? 1,
                    sheets: members.number("printq-sheets") ?? 0), message: message)
        default: return nil
        }
    }
}

extension JobCondition.Remedy {
    /// The keyword of the remedy (`printq-remedy`).
    package var code: String {
        switch self {
        case .cancel: "cancel"
        case .release: "release"
        case .resume: "resume"
        case .reprint: "reprint"
        case .resumePrinter: "resume-printer"
        case .addPrinter: "add-printer"
        case .resumeHost: "resume-host"
        case .startHost: "start-host"
        }
    }

    fileprivate var members: [Attribute] {
        let parameters: [Attribute] =
            switch self {
            case .cancel(let job), .release(let job), .reprint(let job), .resume(let job, .choice):
                [Attribute("job-id", .number(job))]
            case .resume(let job, .again):
                [Attribute("job-id", .number(job)), Attribute("printq-is-printed", .boolean(true))]
            case .resume(let job, .next(let unit, let number)):
                [Attribute("job-id", .number(job)), ResumePlace(unit, number).attribute]
            case .resumePrinter(let printer), .addPrinter(let printer): [Attribute("printer-name", .name(printer))]
            case .resumeHost(let host): [Attribute("printq-host-name", .name(host))]
            case .startHost(let hosts): [Attribute("printq-host-name", hosts.map { .name($0) })]
            }
        return [Attribute("printq-remedy", .keyword(code))] + parameters
    }

    fileprivate init?(_ members: IPP.Collection) {
        let (job, printer) = (members.number("job-id"), members.string("printer-name"))
        let hosts = members.strings("printq-host-name")
        switch (members.string("printq-remedy"), job, printer, hosts.first) {
        case ("cancel", let job?, _, _): self = .cancel(job: job)
        case ("release", let job?, _, _): self = .release(job: job)
        case ("reprint", let job?, _, _): self = .reprint(job: job)
        case ("resume", let job?, _, _):
            let place = members.collection(ResumePlace.attributeName).flatMap { ResumePlace($0) }
            let isPrinted = members["printq-is-printed"]?.first?.boolValue ?? false
            self = .resume(
                job: job, place.map { .next($0.unit, $0.first) } ?? (isPrinted ? .again : .choice))
        case ("resume-printer", _, let printer?, _): self = .resumePrinter(printer)
        case ("add-printer", _, let printer?, _): self = .addPrinter(printer)
        case ("resume-host", _, _, let host?): self = .resumeHost(host)
        case ("start-host", _, _, _?): self = .startHost(hosts)
        default: return nil
        }
    }
}

extension ResumePlace {
    fileprivate static let attributeName = "printq-resume-place"

    fileprivate var attribute: Attribute {
        var members = [
            Attribute("printq-unit", .keyword(unit.rawValue)), Attribute("printq-first", .number(first)),
            Attribute("printq-requested", .number(requested)),
        ]
        if let total { members.append(Attribute("printq-total", .number(total))) }
        return Attribute(Self.attributeName, .collection(IPP.Collection(members)))
    }

    fileprivate init?(_ members: IPP.Collection) {
        guard let unit = members.string("printq-unit").flatMap(Unit.init), let first = members.number("printq-first")
        else { return nil }
        self.init(unit, first, of: members.number("printq-total"), requested: members.number("printq-requested"))
    }
}

extension PrinterDriver {
    fileprivate var members: [Attribute] {
        let (state, hosts): (String, [String]) =
            switch self {
            case .host(let name): ("driving", [name])
            case .changing: ("changing", [])
            case .draining(let names): ("draining", names)
            case .noHost(let names): ("not-alive", names)
            }
        return [Attribute("printq-driver-state", .keyword(state))]
            + (hosts.isEmpty ? [] : [Attribute("printq-host-name", hosts.map { .name($0) })])
    }

    fileprivate init?(_ members: IPP.Collection) {
        let hosts = members.strings("printq-host-name")
        switch (members.string("printq-driver-state"), hosts.first) {
        case ("driving", let host?): self = .host(host)
        case ("changing", _): self = .changing
        case ("draining", _?): self = .draining(hosts)
        case ("not-alive", _?): self = .noHost(hosts)
        default: return nil
        }
    }
}

extension Value {
    fileprivate static func number(_ number: Int) -> Value { .integer(Int32(clamping: number)) }

    /// Returns a time as an IPP `dateTime`, rounded up to whole seconds.
    fileprivate static func nextSecond(_ moment: UnixTime) -> Value { .moment(moment.rounded(.up)) }
}

extension IPP.Collection {
    fileprivate func number(_ name: String) -> Int? { integer(name).map(Int.init) }

    fileprivate func collections(_ name: String) -> [IPP.Collection] {
        self[name]?.values.compactMap(\.collectionValue) ?? []
    }
}
