// Formats the summary of a spool for `printq status`.

package import IPP
import PrintModel
package import SpoolerClient

/// The output of `printq status`.
package struct SpoolStatus: Sendable {
    /// The attributes of printd.
    package var server: AttributeGroup
    /// The attributes of printd's printers.
    package var printers: [AttributeGroup]
    /// The attributes of the jobs that are printing or stopped.
    package var jobs: [AttributeGroup]
    /// The number of jobs that are waiting or held.
    package var waitingJobs: Int

    /// The attributes to request from printd.
    package static let serverNames = [
        "printq-spool", "printq-process", "printq-listening", "printq-listening-security", "printq-listening-problem",
    ]

    /// Creates a status from its parts.
    package init(server: AttributeGroup, printers: [AttributeGroup], jobs: [AttributeGroup], waitingJobs: Int) {
        (self.server, self.printers, self.jobs, self.waitingJobs) = (server, printers, jobs, waitingJobs)
    }

    /// Reads the status of a spool.
    package init(of queue: Spooler) async throws(SpoolerClientError) {
        server = try await queue.printer(nil, Self.serverNames)
        printers = try await queue.ask(.cupsGetPrinters, requested: PrinterView.attributeNames).groups(.printer)
        jobs = try await queue.jobs(JobListing(.processing)) + queue.jobs(JobListing(.stopped))
        // printd counts the jobs of each printer. A count in this function would fetch all jobs.
        let queued = printers.map { PrinterView($0).queuedJobs }.reduce(0, +)
        waitingJobs = max(0, queued - jobs.count)
    }

    /// The addresses of printd: the socket first, then the TCP addresses.
    package var addresses: [String] { server.strings("printq-listening").map(\.printable) }

    /// The lines before the tables.
    package var heading: String {
        let process = server.integer("printq-process").map { "process \($0)" } ?? ""
        var lines = [("spool", (server.string("printq-spool") ?? "").printable), ("printd", process)]
        let isSecure = server.keywords("printq-listening-security").contains("tls")
        for (index, address) in addresses.enumerated() {
            let ways = index == 0 ? "" : isSecure ? " (ipp: and ipps:)" : " (ipp:)"
            lines.append((index == 0 ? "listens on" : "", address + ways))
        }
        if addresses.count < 2 { lines.append(("", "no TCP port")) }
        lines += server.strings("printq-listening-problem").map { ("problem", $0.printable) }
        lines.append(("jobs", jobWords))
        return lines.map { name, value in
            "\(name)\(String(repeating: " ", count: max(0, 12 - name.count)))\(value)\n"
        }.joined()
    }

    private var jobWords: String {
        let views = jobs.map(JobView.init)
        let printing = views.count { $0.state == .processing }
        let counts = [(printing, "printing"), (views.count - printing, "stopped"), (waitingJobs, "waiting or held")]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return words.isEmpty ? "none" : words
    }

    /// The status as JSON.
    package var json: JSONText {
        .object(
            server.attributes.filter { Self.serverNames.contains($0.name) }.map { ($0.name, JSONText($0)) } + [
                ("printers", .array(printers.map { JSONText($0.attributes) })),
                ("jobs", .array(jobs.map { JSONText($0.attributes) })), ("waiting-jobs", .number(waitingJobs)),
            ])
    }
}
