// The routes of the jobs of simulated printers.

import HTTPTypes
import IPP
import IPPServer
import PrintModel
import SpoolerClient

extension Route {
    static let simulatedJobRoutes: [Route] = [
        Route(.get, "/api/v1/printers/:name/jobs", .everyoneInPart, "Lists the stored jobs of a simulated printer.") {
            call in
            let (printer, port) = try call.simulatedJobs()
            let limit = try call.query.number("limit", in: 1...200, default: 20)
            let before = try call.query.number("before", in: 0...Int(Int32.max), default: -1)
            let text = call.query["q"] ?? ""
            guard text.isEmpty || call.user.isAdministrator else {
                throw Problem(.forbidden, "only administrators may search the names of jobs")
            }
            let list = try await port.jobs(
                of: printer, containing: text, before: before < 0 ? nil : before, limit: limit)
            let jobs = list.jobs.map { $0.json(for: call.user) }
            return .json(
                .object([
                    ("jobs", .array(jobs)), ("next", .optional(list.next)),
                ]))
        },
        Route(
            .get, "/api/v1/printers/:name/jobs/:id/pages", .administrator,
            "Lists the page images of a job of a simulated printer."
        ) { call in
            let (printer, port) = try call.simulatedJobs()
            let from = try call.query.number("from", in: 1...PageRanges.mostPages, default: 1)
            let limit = try call.query.number("limit", in: 1...500, default: 500)
            let pages = try await port.pages(of: try call.number("id"), at: printer)
            return .json(
                .object(
                    [("job", pages.job.json(for: call.user)), ("resolution", .number(pages.resolution))]
                        + pages.list.members(.printed, from: from, limit: limit)))
        },
        Route(
            .get, "/api/v1/printers/:name/jobs/:id/pages/:number", .administrator,
            "Returns a page that a simulated printer printed, as a PNG image."
        ) { call in
            let (printer, port) = try call.simulatedJobs()
            let file = try await port.image(
                of: try call.number("id"), at: printer, page: try call.number("number"))
            return file.answer(to: call.request)
        },
        Route(
            .get, "/api/v1/printers/:name/jobs/:id/documents/:number", .administrator,
            "Returns a document of a job of a simulated printer as the client sent it."
        ) { call in
            let (printer, port) = try call.simulatedJobs()
            return try await port.document(
                try call.number("number"), of: try call.number("id"), at: printer
            ).answer
        },
        Route(
            .get, "/api/v1/printers/:name/jobs/:id/report", .administrator,
            "Returns the received options, the printed options and the warnings of a job of a simulated printer."
        ) { call in
            let (printer, port) = try call.simulatedJobs()
            return try await port.report(of: try call.number("id"), at: printer).answer
        },
        Route(
            .get, "/api/v1/printers/:name/jobs/:id/requests/:number", .administrator,
            "Returns a request of a job of a simulated printer: the operation and all attributes."
        ) { call in
            let bytes = try await call.receivedRequest().bytes
            guard let message = try? Message.decode(bytes).message else {
                throw Problem(.internalServerError, "the stored request is damaged")
            }
            return .json(message.json)
        },
        Route(
            .get, "/api/v1/printers/:name/jobs/:id/requests/:number/ipp", .administrator,
            "Returns the bytes of a request of a job of a simulated printer, without the document."
        ) { call in
            let (bytes, name) = try await call.receivedRequest()
            return .bytes(
                bytes, type: "application/ipp",
                headers: [
                    .contentDisposition: "attachment; \(FileDownload.fileName(name))",
                    .cacheControl: "private, no-store", .contentSecurityPolicy: FileDownload.policy,
                ])
        },
        Route(
            .get, "/api/v1/printers/:name/jobs/wait", .administrator,
            "Waits until jobs of a simulated printer have ended."
        ) { call in
            let (printer, port) = try call.simulatedJobs()
            let timeout = try call.query.number("timeout", in: 0...600, default: 60)
            let wanted: AwaitedJobs
            if call.query["job"] != nil {
                wanted = .job(try call.query.number("job", in: 1...Int(Int32.max), default: 1))
            } else {
                wanted = .count(
                    try call.query.number("count", in: 1...10_000, default: 1),
                    after: try call.query.number("after", in: 0...Int(Int32.max), default: 0))
            }
            let finish = call.center.ports.noteWaiting()
            defer { finish() }
            let ended = try await call.untilHangUp {
                try await port.ended(wanted, at: printer, within: .seconds(timeout))
            }
            return .json(
                .object([
                    ("done", .bool(ended.isDone)), ("jobs", .array(ended.jobs.map { $0.json(for: call.user) })),
                ]))
        },
        Route(
            .delete, "/api/v1/printers/:name/jobs/:id", .administrator,
            "Deletes an ended job of a simulated printer with its files."
        ) { call in
            let (printer, port) = try call.simulatedJobs()
            return .json(.object([("deleted", .number(try await port.delete(try call.number("id"), at: printer)))]))
        },
        Route(
            .delete, "/api/v1/printers/:name/jobs", .administrator,
            "Deletes all ended jobs of a simulated printer with their files."
        ) { call in
            let (printer, port) = try call.simulatedJobs()
            return .json(.object([("deleted", .number(try await port.delete(nil, at: printer)))]))
        },
    ]
}

extension Call {
    /// Returns the name of the printer in the URL path, and the service for the stored jobs of simulated printers.
    ///
    /// - Throws: `Problem` with status 404 if the server does not show the jobs of simulated printers.
    fileprivate func simulatedJobs() throws(Problem) -> (String, any SimulatedJobs) {
        let name = try printerName()
        guard let port = center.ports.simulatedJobs else {
            throw .notFound(
                "\(center.configuration.service) does not list the jobs of simulated printers at this path; use "
                    + "/api/v1/jobs?printer=\(name)")
        }
        return (name, port)
    }

    /// Returns the request in the URL path, and the name of its file.
    fileprivate func receivedRequest() async throws -> (bytes: [UInt8], name: String) {
        let (printer, port) = try simulatedJobs()
        let (number, job) = (try number("number"), try number("id"))
        return (try await port.request(number, of: job, at: printer), "\(printer)-\(job)-request-\(number).ipp")
    }
}

extension Message {
    /// The message as JSON: the operation, and the attributes of each group.
    fileprivate var json: JSONText {
        .object([
            ("version", .string("\(version.major).\(version.minor)")), ("operation", .string("\(operation)")),
            ("request-id", .number(Int(requestID))),
            (
                "groups",
                .array(
                    groups.map { group in
                        .object([("name", .string("\(group.tag)")), ("attributes", JSONText(group.attributes))])
                    })
            ),
        ])
    }
}
