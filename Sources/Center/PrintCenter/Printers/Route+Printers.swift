// The routes that show printers.

import IPP
import PrintIPP
import PrintModel
import SpoolerClient

extension Route {
    static let printerRoutes: [Route] = shownPrinterRoutes + changedPrinterRoutes

    private static let shownPrinterRoutes: [Route] = [
        Route(.get, "/api/v1/printers", .provenUser, "Lists the printers.") { call in
            let event = try await call.latestEvent()
            let printers = try await call.printerRecords()
            return .json(
                .object([("printers", .array(printers.map(\.json))), ("event", .number(event))]))
        },
        Route(
            .get, "/api/v1/printers/:name", .everyoneInPart,
            "Returns a printer with its state, capabilities and supplies."
        ) { call in
            let name = try call.printerName()
            let record = try await call.printerRecord(name, PrinterRecord.detailNames)
            let jobs = try await call.spooler.jobs(
                JobListQuery(.notCompleted, printer: name, limit: 20), JobSummary.attributeNames)
            let facts = PrinterFacts(record.group)
            return .json(
                .object(
                    record.members + record.detail + [
                        ("jobs", .array(jobs.map { JobSummary($0, for: call.user, printer: facts).json }))
                    ]))
        },
        Route(
            .get, "/api/v1/printers/:name/options", .provenUser,
            "Lists the print options of a printer with their values."
        ) {
            call in
            let group = try await call.spooler.printer(try call.printerName(), OptionForm.attributeNames)
            return .json(OptionForm(group).json)
        },
        Route(.get, "/api/v1/devices", .administrator, "Searches for devices that can be added as printers.") { call in
            let seconds = try call.query.number("seconds", in: 1...30, default: 3)
            let search = try await call.spooler.devices(seconds: seconds)
            return .json(
                .object([
                    ("devices", .array(search.devices.map(Self.json))), ("notes", .strings(search.notes)),
                ]))
        },
    ]

    private static func json(_ device: FoundDevice) -> JSONText {
        .object([
            ("uri", .string(device.uri)), ("info", .string(device.info)),
            ("make-and-model", .string(device.makeAndModel)), ("location", .string(device.location)),
            ("class", .string(device.uri.prefix { $0 != ":" } == "cups" ? "cups" : "network")),
        ])
    }
}

extension Call {
    /// Returns the name of the printer in the URL path.
    ///
    /// - Throws: `Problem` with status 404 if the text is not a valid name of a printer.
    func printerName() throws(Problem) -> String {
        let name = parameters["name"] ?? ""
        guard ConfiguredPrinter.isValidName(name) else { throw .notFound("there is no printer '\(name)'") }
        return name
    }

    /// Returns all printers that the user is allowed to see.
    func printerRecords() async throws -> [PrinterRecord] {
        let groups = try await spooler.ask(.cupsGetPrinters, requested: PrinterRecord.listNames).groups(.printer)
        var current: [String: JobView] = [:]
        if center.configuration.service == "printd" {
            for job in try await currentJobs(nil) where current[job.printer] == nil { current[job.printer] = job }
        } else {
            for name in groups.compactMap({ $0.string("printer-name") }) {
                current[name] = try await currentJobs(name).first
            }
        }
        let retries = groups.contains(where: PrinterRecord.mayRetry) ? try await retries(nil) : [:]
        return groups.map { group in
            let name = group.string("printer-name") ?? ""
            return record(group, job: current[name], retryAt: retries[name])
        }
    }

    /// Returns one printer with the given IPP attributes.
    ///
    /// - Parameter names: The names of the printer attributes to request.
    func printerRecord(
        _ name: String, _ names: [String] = PrinterRecord.listNames
    ) async throws -> PrinterRecord {
        let group = try await spooler.printer(name, names)
        let retries = PrinterRecord.mayRetry(group) ? try await retries(name) : [:]
        return record(group, job: try await currentJobs(name).first, retryAt: retries[name])
    }

    private func record(_ group: AttributeGroup, job: JobView?, retryAt: UnixTime?) -> PrinterRecord {
        PrinterRecord(group, job: job, retryAt: retryAt, user: user, service: center.configuration.service)
    }

    /// Returns the time of the next attempt, for each printer that has jobs to retry.
    private func retries(_ printer: String?) async throws -> [String: UnixTime] {
        guard center.configuration.service == "printd" else { return [:] }
        let answer = try await spooler.ask(
            .getJobs, printer: printer,
            attributes: [
                Attribute("which-jobs", .keyword("not-completed")), Attribute("printq-attention", .boolean(true)),
                Attribute("limit", .integer(500)),
            ], requested: PrinterRecord.retryNames)
        var retries: [String: UnixTime] = [:]
        for group in answer.groups(.job) {
            guard let time = group.integer("printq-retry-at").map(UnixTime.init) else { continue }
            let name = JobView(group).printer
            retries[name] = min(retries[name] ?? time, time)
        }
        return retries
    }

    /// Returns the jobs that are printing, and the jobs that stopped during printing.
    private func currentJobs(_ printer: String?) async throws -> [JobView] {
        let names = PrinterRecord.jobNames
        let stopped = try await spooler.jobs(JobListQuery(.stopped, printer: printer), names).map(JobView.init)
        let printing = try await spooler.jobs(JobListQuery(.processing, printer: printer), names).map(JobView.init)
        return printing + stopped
    }
}
