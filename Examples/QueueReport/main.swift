import SpoolerClient

do {
    let spooler = try Spooler()
    for job in try await spooler.jobs() { print(job.id, job.name, job.printer, job.phase?.rawValue ?? "unknown") }
    if let id = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) {
        let reason = try await spooler.why(id)
        print(reason)
        if case .undelivered? = reason.condition?.cause { try await spooler.cancel(id) }
        for try await job in spooler.watch(id) { print(job.phase?.rawValue ?? "unknown", job.pages) }
    }
} catch {
    print(error)
}
