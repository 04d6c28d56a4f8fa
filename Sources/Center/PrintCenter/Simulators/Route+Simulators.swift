// The routes that control simulated printers.

import IPP
import IPPServer
import PrintModel
import SpoolerClient

extension Route {
    /// The routes for simulated printers.
    static let simulatorRoutes: [Route] = [
        Route(
            .get, "/api/v1/printers/:name/simulator", .provenUser,
            "Returns the paper, supplies and faults of a simulated printer."
        ) { call in
            try await call.simulator(["status"])
        },
        Route(
            .post, "/api/v1/printers/:name/simulator/fault", .administrator, "Injects a fault into a simulated printer."
        ) { call in
            let body = try await call.json()
            guard let fault = try body.text("fault"), !fault.isEmpty else {
                throw Problem.wrong("fault", "the fault is missing; give a fault such as 'media-jam at page 3'")
            }
            return try await call.simulator(["fault", fault], field: "fault")
        },
        Route(.post, "/api/v1/printers/:name/simulator/clear", .administrator, "Clears faults of a simulated printer.")
        { call in
            let name = try await call.json().text("name") ?? "all"
            return try await call.simulator(["clear", name], field: "name")
        },
        Route(
            .post, "/api/v1/printers/:name/simulator/load", .administrator,
            "Loads paper into a tray of a simulated printer."
        ) {
            call in
            let words = try LoadedPaperText.words(await call.json())
            return try await call.simulator(words, field: "tray")
        },
        Route(
            .post, "/api/v1/printers/:name/simulator/supplies", .administrator,
            "Sets the level of a supply of a simulated printer."
        ) { call in
            let body = try await call.json()
            guard let name = try body.text("name") else {
                throw Problem.wrong("name", "'name' is missing; give the name of a supply")
            }
            let level = try body.number("level") ?? 100
            guard (0...100).contains(level) else {
                throw Problem.wrong("level", "'level' must be a percentage from 0 to 100")
            }
            return try await call.simulator(["level", name, "\(level)"], field: "name")
        },
        Route(
            .post, "/api/v1/printers/:name/simulator/power", .administrator, "Switches a simulated printer on or off."
        ) { call in
            let body = try await call.json()
            guard let isOn = try body.truth("on") else { throw Problem.wrong("on", "'on' must be true or false") }
            return try await call.simulator(["power", isOn ? "on" : "off"])
        },
        Route(
            .get, "/api/v1/printers/:name/log", .everyoneInPart,
            "Lists the received requests and the state changes of a simulated printer."
        ) { call in
            let limit = try call.query.number("limit", in: 1...500, default: 100)
            let before = try call.query.number("before", in: 0...Int(Int32.max), default: -1)
            let words = ["log", "\(limit)"] + (before >= 0 ? ["\(before)"] : [])
            let group = try await call.askSimulator(words)
            let entries = PrinterLogEntry.all(in: group)
            let reader = try await call.logReader(of: entries)
            return .json(
                .object([
                    ("entries", .array(entries.map { $0.json(for: reader) })),
                    ("next", group.integer("printq-log-next").map { .number(Int($0)) } ?? .null),
                ]))
        },
    ]
}

extension Call {
    /// Sends a command to the simulated printer in the URL path, and returns the printer's new state.
    ///
    /// - Parameter field: The name of the request member that an error mentions if the printer refuses the command.
    fileprivate func simulator(_ words: [String], field: String? = nil) async throws -> WebAnswer {
        let group = try await askSimulator(words, field: field)
        if words != ["status"] { await center.ports.simulators?.noteChange(try printerName()) }
        return .json(SimulatorRecord(group).json)
    }

    fileprivate func askSimulator(_ words: [String], field: String? = nil) async throws -> AttributeGroup {
        let name = try await simulatorName()
        guard let port = center.ports.simulators else {
            throw Problem.notFound("\(center.configuration.service) has no simulated printers")
        }
        let request = Message.request(
            SimulatorPort.controlPrinter, printer: name, user: user.name,
            attributes: [Attribute("printq-control", words.map { .text($0) })])
        let answer: Message
        do {
            answer = try await port.send(request)
        } catch {
            throw Problem.busy("the simulated printers do not respond: \(error)")
        }
        guard answer.status.rawValue < 0x0100, let group = answer[.printer] else {
            let words = answer[.operation]?.string("status-message") ?? "\(answer.status)"
            let refusals: [Status] = [.clientErrorBadRequest, .clientErrorNotFound, .clientErrorNotPossible]
            if let field, refusals.contains(answer.status) { throw Problem.wrong(field, words) }
            throw Problem(SpoolerClientError(refusal: answer))
        }
        return group
    }

    /// Returns the name of the simulated printer to which the printer in the URL path sends its jobs.
    private func simulatorName() async throws -> String {
        let name = try printerName()
        if center.configuration.service == "printsim" {
            // A printer that is switched off does not answer IPP requests, but can be controlled.
            return name
        }
        let group = try await spooler.printer(name, ["printer-name", "device-uri"])
        guard case .simulated(let simulator)? = group.string("device-uri").flatMap({ try? DeviceURI($0) }) else {
            throw Problem.notFound("\(name) is not a simulated printer")
        }
        return simulator
    }
}

/// The members of a request to load paper.
///
/// The members become arguments of the control command `load`.
enum LoadedPaperText {
    /// Returns the arguments of the control command `load`.
    ///
    /// - Throws: `Problem` with the name of the invalid member of the request.
    static func words(_ body: JSONText) throws(Problem) -> [String] {
        guard let tray = try body.text("tray"), !tray.isEmpty else {
            throw .wrong("tray", "'tray' is missing; give the name of a tray")
        }
        var words = ["load", tray]
        let sheets = try body.number("sheets")
        if let sheets {
            guard sheets >= 0 else { throw .wrong("sheets", "'sheets' must be 0 or more") }
            words.append("\(sheets)")
        }
        if try body.truth("endless") == true {
            guard sheets == nil else { throw .wrong("sheets", "give either 'sheets' or 'endless', not both") }
            words.append("endless")
        }
        let media = try body.text("media")
        if try body.truth("any-size") == true {
            guard media == nil else { throw .wrong("media", "give either 'media' or 'any-size', not both") }
            words.append("any")
        } else if let media {
            words.append(media)
        }
        if let type = try body.text("type") { words.append(type) }
        return words
    }
}

extension Call {
    /// Returns the reader of entries of a log: the authenticated user, with the numbers of the user's own jobs.
    fileprivate func logReader(of entries: [PrinterLogEntry]) async throws -> LogReader {
        let jobs = Set(entries.compactMap(\.job))
        guard !user.isAdministrator, !jobs.isEmpty else {
            return LogReader(isAdministrator: user.isAdministrator, ownJobs: [])
        }
        let answer = try await spooler.ask(
            .getJobs,
            attributes: [
                Attribute("which-jobs", .keyword("all")), Attribute("my-jobs", .boolean(true)),
                Attribute("job-ids", jobs.map { .integer(Int32(clamping: $0)) }),
            ], requested: ["job-id"])
        let own = answer.groups(.job).compactMap { $0.integer("job-id") }
        return LogReader(isAdministrator: false, ownJobs: Set(own.map(Int.init)))
    }
}

/// The requester of a part of a printer's log, who determines which values of jobs it contains.
struct LogReader: Sendable {
    let isAdministrator: Bool
    /// The numbers of the requester's own jobs.
    let ownJobs: Set<Int>
}

/// An entry of a printer's log.
///
/// The values of a job can be read only for a reader.
struct PrinterLogEntry: Sendable {
    /// The number of the job in the queue; nil if the entry concerns no job of the queue.
    let job: Int?
    private let entry: IPP.Collection

    private init(_ entry: IPP.Collection) { (self.entry, job) = (entry, entry.integer("log-job").map(Int.init)) }

    /// Returns the entries in a simulator's response, with the newest entry first.
    static func all(in group: AttributeGroup) -> [PrinterLogEntry] {
        group["printq-log-col"]?.values.compactMap(\.collectionValue).map(PrinterLogEntry.init) ?? []
    }

    /// Returns the entry as JSON.
    ///
    /// Other users' jobs have a number and an operation, but no name and no details, as in Get-Jobs.
    func json(for reader: LogReader) -> JSONText {
        let seesJob = reader.isAdministrator || job.map(reader.ownJobs.contains) == true
        let words = [
            job.map { "job \($0)" }, seesJob ? entry.string("log-job-name") : nil,
            seesJob ? entry.string("log-job-text") : nil, entry.string("log-text"),
        ]
        return .object([
            ("id", .number(Int(entry.integer("log-number") ?? 0))), ("time", SimulatorRecord.time(entry, "log-time")),
            ("operation", .string(entry.string("log-operation") ?? "")),
            ("text", .string(words.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", "))),
            ("job-id", job.map { .number($0) } ?? .null),
        ])
    }
}
