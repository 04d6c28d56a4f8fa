// The condition of a job in the JSON API.

import PrintIPP
import PrintModel
import SpoolerClient

extension JobCondition {
    /// The condition as a JSON object: the keyword of the cause, its parameters and the remedies.
    var json: JSONText {
        .object(
            [("code", .string(cause.code)), ("printer", .string(printer))] + cause.members + (driver?.members ?? [])
                + [("remedies", .array(remedies.map(\.json)))])
    }
}

extension JobCondition.Cause {
    /// The parameters of the cause.
    fileprivate var members: [(name: String, value: JSONText)] {
        switch self {
        // The message of a suspended job names commands, and the remedies replace the commands.
        case .printerRemoved, .noHost, .overtaken, .documentsMissing, .suspended: []
        case .strictOrder(let blocker): [("job", .number(blocker.job)), ("behind", blocker.json)]
        case .paused(let message), .printerStopped(let message): Self.text(message)
        case .interrupted(let message, let moment, let place):
            Self.text(message) + [("retry-at", .time(moment))] + place.members
        case .undelivered(let message, let moment, let attempt):
            Self.text(message) + [("retry-at", .time(moment)), ("attempt", .number(attempt))]
        case .queued(let ahead, let turns, let trouble, let place):
            [("before", .number(ahead))]
                + (turns.map { [("own", .number($0.own)), ("others", .number($0.others))] } ?? [])
                + (trouble?.members ?? []) + (place?.members ?? [])
        case .held(let until): until.map { [("until", .time($0))] } ?? []
        case .password(let until, _): [("until", .time(until))]
        case .canceling(let message): Self.text(message ?? "")
        case .inProgress(let step, let message):
            step.map { [("step", .string($0.rawValue))] } ?? Self.text(message)
        case .canceled(let canceler, let message): [("by", .string(canceler.rawValue))] + Self.text(message)
        case .failed(let message, let reasons): Self.text(message) + [("reasons", .strings(reasons))]
        case .completed(let amount, let message):
            [
                ("pages", .number(amount.pages)), ("copies", .number(amount.copies)),
                ("sheets", .number(amount.sheets)),
            ] + Self.text(message)
        }
    }

    private static func text(_ message: String) -> [(name: String, value: JSONText)] {
        message.isEmpty ? [] : [("message", .string(message.printable))]
    }
}

extension JobCondition.PrinterTrouble {
    fileprivate var members: [(name: String, value: JSONText)] {
        switch self {
        case .unreachable: [("trouble", .string("unreachable"))]
        case .stopped(let message, let reasons):
            [("trouble", .string("stopped")), ("reasons", .strings(reasons))]
                + (message.isEmpty ? [] : [("message", .string(message.printable))])
        }
    }
}

extension JobCondition.Remedy {
    fileprivate var json: JSONText {
        let parameters: [(name: String, value: JSONText)] =
            switch self {
            case .cancel(let job), .release(let job), .reprint(let job), .resume(let job, .choice),
                .resume(let job, .again):
                [("job", .number(job))]
            case .resume(let job, .next(_, let number)): [("job", .number(job)), ("page", .number(number))]
            case .resumePrinter(let printer), .addPrinter(let printer): [("printer", .string(printer))]
            case .resumeHost(let host): [("hosts", .strings([host]))]
            case .startHost(let hosts): [("hosts", .strings(hosts))]
            }
        return .object([("action", .string(code))] + parameters)
    }
}

extension ResumePlace {
    fileprivate var members: [(name: String, value: JSONText)] { [("page", .number(first))] }
}

extension PrinterDriver {
    fileprivate var members: [(name: String, value: JSONText)] {
        switch self {
        case .host(let name): [("driver", .string("driving")), ("hosts", .strings([name]))]
        case .changing: [("driver", .string("changing"))]
        case .draining(let names): [("driver", .string("draining")), ("hosts", .strings(names))]
        case .noHost(let names): [("driver", .string("not-alive")), ("hosts", .strings(names))]
        }
    }
}
