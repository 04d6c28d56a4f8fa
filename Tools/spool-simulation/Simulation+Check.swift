// Checks the invariants of a simulation.

import PrintModel
import SimulatedDisk

extension Simulation {
    func rows(_ sql: String) -> [[String]] {
        do { return try database.rows(sql) } catch {
            violate("the database cannot be read: \(error)")
            return []
        }
    }

    /// Returns whether all sides of a job were printed.
    func isPrinted(_ name: String) -> Bool {
        let prints = prints(of: name)
        guard let marks = prints.first?.document else { return false }
        return Set(prints.flatMap(\.sides)).count == PreparedText.sideCount(of: marks)
    }

    /// Returns the printer's setting for jobs that the printer aborts.
    func afterInterruption(of printer: String) -> ConfiguredPrinter.AfterInterruption {
        printerNames.firstIndex(of: printer).map { temper.interruptions[$0] } ?? .ask
    }

    private func prints(of name: String) -> [Device.Print] {
        printerNames.flatMap { devices["device:\($0)"]?.paper ?? [] }.filter { $0.name == name }
    }

    /// Checks that no printer has two jobs in progress; jobs that wait for a person's decision do not count.
    func checkHands() {
        let queueFull = rows(
            """
            SELECT printer, GROUP_CONCAT(id) FROM jobs
            WHERE state IN (5, 6) AND reasons NOT LIKE '%"job-suspended"%' GROUP BY printer HAVING COUNT(*) > 1
            """)
        for row in queueFull { violate("printer \(row[0]) has jobs \(row[1]) in progress at the same time") }
    }

    /// Checks that every file belongs to a job, after a start.
    func checkFiles() {
        let ids = Set(rows("SELECT id FROM jobs").map { $0[0] })
        for host in hosts { checkFiles(on: host.disk, of: ids) }
    }

    private func checkFiles(on disk: SimulatedDisk, of ids: Set<String>) {
        for folder in disk.folders where folder.hasPrefix("\(Self.folder)/jobs/") {
            let id = folder.dropFirst("\(Self.folder)/jobs/".count)
            if !ids.contains(String(id)) { violate("the folder \(folder) belongs to no job") }
        }
        for file in disk.files {
            if file.hasPrefix("\(Self.folder)/incoming/") { violate("\(file) was left behind") }
            guard file.hasPrefix("\(Self.folder)/jobs/") else { continue }
            let name = file.split(separator: "/").last ?? ""
            let isDocument = name.hasPrefix("document-") && name.split(separator: ".").count == 2
            if name != "prepared.pdf" && !isDocument { violate("\(file) was left behind") }
        }
    }

    /// Compares the promises, the printed jobs and the spool at the end.
    func check() async {
        for fault in ledger.faults { violate(fault) }
        let jobs = rows("SELECT id, name, state, reasons, printer FROM jobs ORDER BY id").map(Row.init)
        let byName = Dictionary(grouping: jobs, by: \.name)
        for name in ledger.names {
            guard let order = ledger.orders[name] else { continue }
            check(order, byName[name] ?? [])
        }
        for job in jobs where ledger.orders[job.name] == nil { violate("job \(job.id) was not submitted") }
        checkEvents(of: jobs)
        for name in printerNames { checkOrder(at: name) }
    }

    private struct Row {
        var id: Int
        var name: String
        var state: JobState?
        var reasons: String
        var printer: String

        init(_ values: [String]) {
            id = Int(values[0]) ?? 0
            name = values[1]
            state = Int(values[2]).flatMap(JobState.init(rawValue:))
            reasons = values[3]
            printer = values[4]
        }
    }

    /// Checks one order.
    ///
    /// An accepted order must not be lost, duplicated or printed more often than requested, and each final state must
    /// have a cause.
    private func check(_ order: Ledger.Order, _ jobs: [Row]) {
        let prints = prints(of: order.name)
        if jobs.count > 1 { violate("\(order.name) exists as jobs \(jobs.map(\.id))") }
        if let id = order.id, jobs.first?.id != id {
            violate("\(order.name) was accepted as job \(id) and is missing")
        }
        if order.id == nil && !order.mayExist && !jobs.isEmpty {
            violate("\(order.name) was rejected but exists as job \(jobs[0].id)")
        }
        if prints.count > 1 + order.reprints + order.continuations {
            violate(
                "\(order.name) was printed \(prints.count) times, with \(order.reprints) requested reprints and "
                    + "\(order.continuations) continuations")
        }
        let sides = prints.flatMap(\.sides)
        if order.reprints == 0, Set(sides).count < sides.count {
            violate("\(order.name) continued with sides that were already printed: \(prints.map(\.sides))")
        }
        for print in prints where !order.isVague && print.document != order.marks.joined(separator: " ") {
            violate("\(order.name) was printed as '\(print.document)' instead of '\(order.marks)'")
        }
        if !prints.isEmpty && jobs.isEmpty { violate("\(order.name) was printed, but there is no job") }
        for job in jobs { check(job, of: order) }
    }

    private func check(_ job: Row, of order: Ledger.Order) {
        let causes = order.causes.union(ledger.causesByID[job.id] ?? [])
        let words = "\(order.name), job \(job.id), \(job.reasons), causes \(causes)"
        switch job.state {
        case .completed:
            if !isPrinted(order.name) { violate("completed but not printed: \(words)") }
        case .canceled:
            if order.cancels == 0 && !causes.contains(.canceledAtDevice) { violate("canceled by no one: \(words)") }
        case .aborted:
            let isIncomplete =
                !order.isComplete && order.id == job.id || order.isVague || order.mayExist && order.marks.isEmpty
            let isGivenUp = temper.policies[printerNames.firstIndex(of: job.printer) ?? 0] == .abortJob
            let isBlamed = !causes.isDisjoint(with: [.abortedAtDevice, .unreadable, .refused, .worker])
            if !isIncomplete && !isGivenUp && !isBlamed { violate("aborted without a cause: \(words)") }
        default: violate("has not ended: \(words)")
        }
    }

    /// Checks the event log of each job: it must begin with the creation, end with the final state, and contain nothing
    /// after that.
    private func checkEvents(of jobs: [Row]) {
        let log = rows("SELECT job_id, kind, IFNULL(state, 0) FROM events WHERE job_id IS NOT NULL ORDER BY sequence")
        let byJob = Dictionary(grouping: log) { $0[0] }.mapValues { $0.map { Array($0.dropFirst()) } }
        for job in jobs { check(byJob[String(job.id)] ?? [], of: job) }
    }

    private func check(_ events: [[String]], of job: Row) {
        if events.first?[0] != "job-created" { violate("the log of job \(job.id) does not begin with job-created") }
        if events.count(where: { $0[0] == "job-completed" }) != 1 || events.last?[0] != "job-completed" {
            violate("the log of job \(job.id) does not end with a final state: \(events)")
        }
        if events.last?[1] != job.state.map({ "\($0.rawValue)" }) {
            violate("the log of job \(job.id) ends with a state that differs from the job's: \(events)")
        }
    }

    /// Checks the order of jobs with the same printer and priority that were submitted at once and not changed later.
    ///
    /// The documents of such jobs must arrive at the printer in the order of the job IDs. Jobs that were printed again
    /// after an uncertain result, and jobs that never reached the printer, are ignored.
    private func checkOrder(at printer: String) {
        var last: [String: (id: Int, name: String)] = [:]
        var seen: Set<String> = []
        for name in devices["device:\(printer)"]?.arrivals ?? [] {
            guard let order = ledger.orders[name], order.isPlain, let id = order.id, seen.insert(name).inserted
            else { continue }
            // In fair order, the jobs of different owners take turns. A job whose preparation takes long is overtaken.
            let queue = "\(order.priority) \(self.order == .strict ? "" : Ledger.owner(of: name))"
            if let before = last[queue], before.id > id {
                violate("\(before.name), job \(before.id), was sent to \(printer) before \(name), job \(id)")
            }
            last[queue] = (id, name)
        }
    }
}
