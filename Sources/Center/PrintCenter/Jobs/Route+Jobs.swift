// The routes of jobs.

import IPP
import PrintIPP
import SpoolerClient

extension Route {
    /// The routes of jobs and document types.
    static let jobRoutes: [Route] =
        [
            Route(
                .get, "/api/v1/jobs", .everyoneInPart,
                "Lists open jobs in queue order, then ended jobs from newest to oldest."
            ) {
                .json(try await $0.jobList())
            },
            Route(.get, "/api/v1/jobs/counts", .provenUser, "Counts the jobs by state.") {
                .json(try await $0.jobCounts())
            },
            Route(.get, "/api/v1/jobs/:id", .everyoneInPart, "Returns a job with its documents, options and timeline.")
            { call in
                let group = try await call.spooler.job(try call.number("id"), JobDetail.attributeNames)
                let printer = try await call.printerFacts(JobView(group).printer)
                return .json(JobDetail(JobSummary(group, for: call.user, printer: printer)).json)
            },
            Route(.patch, "/api/v1/jobs/:id", .provenOwner, "Changes the name and the options of a waiting job.") {
                try await $0.changeOptions()
            },
            Route(.post, "/api/v1/jobs", .provenUser, "Submits uploaded documents as one job.") {
                try await $0.submit()
            }.onBlockingThreads,
            Route(.post, "/api/v1/jobs/actions", .provenOwner, "Applies a command to several jobs.") {
                try await $0.changeSeveral()
            },
            Route(
                .post, "/api/v1/jobs/:id/advance", .provenOwner,
                "Prints a waiting job before the job directly ahead of it."
            ) { try await $0.advance() },
            Route(.post, "/api/v1/jobs/:id/reprint", .provenOwner, "Prints a job again.") { try await $0.reprint() },
            Route(.get, "/api/v1/types", .provenUser, "Lists the document types that the server can print.") { call in
                let server = try await call.spooler.printer(nil, ["printq-document-types"])
                let types = server["printq-document-types"]?.values.compactMap(\.collectionValue) ?? []
                return .json(.object([("types", .array(types.map { JSONText($0.members) }))]))
            },
        ]
        + JobCommand.allCases.map { command in
            Route(.post, "/api/v1/jobs/:id/\(command.rawValue)", .provenOwner, command.summary) {
                try await $0.change(command)
            }
        }
}

extension JobCommand {
    /// A description of the command's effect, in one sentence.
    fileprivate var summary: String {
        switch self {
        case .cancel: "Cancels a job."
        case .hold: "Holds a job until a specified time, or until a user releases the job."
        case .release: "Releases a held job."
        case .move: "Moves a waiting job to another printer."
        case .resume: "Continues a suspended job."
        }
    }
}
