// The routes of the jobs of simulated printers.

import HTTPTypes
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
                    ("jobs", .array(jobs)), ("next", list.hasMore ? .optional(list.jobs.last?.id) : .null),
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
}
