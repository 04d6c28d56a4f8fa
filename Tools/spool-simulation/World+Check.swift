// What must be true of every world.

import PrintModel
import SimulatedDisk

extension World {
    func rows(_ sql: String) -> [[String]] {
        do { return try database.rows(sql) } catch {
            violate("the database cannot be read: \(error)")
            return []
        }
    }

    /// Whether all of a job came out of some printer.
    func isPrinted(_ name: String) -> Bool {
        let prints = prints(of: name)
        guard let marks = prints.first?.document else { return false }
        return Set(prints.flatMap(\.sides)).count == PreparedText.sideCount(of: marks)
    }

    /// What becomes of jobs that a printer gives up.
    func afterInterruption(of printer: String) -> ConfiguredPrinter.AfterInterruption {
        printerNames.firstIndex(of: printer).map { temper.interruptions[$0] } ?? .ask
    }

    private func prints(of name: String) -> [Device.Print] {
        printerNames.flatMap { devices["device:\($0)"]?.paper ?? [] }.filter { $0.name == name }
    }

    /// No printer has two jobs in hand; those that wait for a person's word are in nobody's hand.
    func checkHands() {
        let crowded = rows(
            """
            SELECT printer, GROUP_CONCAT(id) FROM jobs
            WHERE state IN (5, 6) AND reasons NOT LIKE '%"job-suspended"%' GROUP BY printer HAVING COUNT(*) > 1
            """)
        for row in crowded { violate("printer \(row[0]) has jobs \(row[1]) in hand at once") }
    }

    /// After a start there is no file that no job has.
    func checkFiles() {
        let ids = Set(rows("SELECT id FROM jobs").map { $0[0] })
        for folder in disk.folders where folder.hasPrefix("\(Self.folder)/jobs/") {
            let id = folder.dropFirst("\(Self.folder)/jobs/".count)
            if !ids.contains(String(id)) { violate("the folder \(folder) is no job's") }
        }
        for file in disk.files {
            if file.hasPrefix("\(Self.folder)/incoming/") { violate("\(file) was left behind") }
            guard file.hasPrefix("\(Self.folder)/jobs/") else { continue }
            let name = file.split(separator: "/").last ?? ""
            let isDocument = name.hasPrefix("document-") && name.split(separator: ".").count == 2
            if name != "prepared.pdf" && !isDocument { violate("\(file) was left behind") }
        }
    }

    /// The reckoning: what was promised, what is on paper, and what the spool says of it.
    func check() async {
        for fault in ledger.faults { violate(fault) }
        let jobs = rows("SELECT id, name, state, reasons, printer FROM jobs ORDER BY id").map(Row.init)
        let byName = Dictionary(grouping: jobs, by: \.name)
        for name in ledger.names {
            guard let order = ledger.orders[name] else { continue }
            check(order, byName[name] ?? [])
        }
        for job in jobs where ledger.orders[job.name] == nil { violate("job \(job.id) was ordered by nobody") }
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

    /// Nothing that was accepted is lost, nothing is there twice, nothing comes out twice unasked, and every end has its
    /// reason.
    private func check(_ order: Ledger.Order, _ jobs: [Row]) {
        let prints = prints(of: order.name)
        if jobs.count > 1 { violate("\(order.name) is there as jobs \(jobs.map(\.id))") }
        if let id = order.id, jobs.first?.id != id {
            violate("\(order.name) was accepted as job \(id) and is not there")
        }
        if order.id == nil && !order.mayExist && !jobs.isEmpty {
            violate("\(order.name) was refused and is there as job \(jobs[0].id)")
        }
        if prints.count > 1 + order.reprints + order.continuations {
            violate(
                "\(order.name) came out \(prints.count) times, was asked for again \(order.reprints) times, and went on "
                    + "\(order.continuations) times")
        }
        let sides = prints.flatMap(\.sides)
        if order.reprints == 0, Set(sides).count < sides.count {
            violate("\(order.name) went on with sides that were out already: \(prints.map(\.sides))")
        }
        for print in prints where !order.isVague && print.document != order.marks.joined(separator: " ") {
            violate("\(order.name) came out as '\(print.document)' instead of '\(order.marks)'")
        }
        if !prints.isEmpty && jobs.isEmpty { violate("\(order.name) came out and is no job") }
        for job in jobs { check(job, of: order) }
    }

    private func check(_ job: Row, of order: Ledger.Order) {
        let causes = order.causes.union(ledger.causesByID[job.id] ?? [])
        let words = "\(order.name), job \(job.id), \(job.reasons), because of \(causes)"
        switch job.state {
        case .completed:
            if !isPrinted(order.name) { violate("completed and not on paper: \(words)") }
        case .canceled:
            if order.cancels == 0 && !causes.contains(.canceledAtDevice) { violate("canceled by nobody: \(words)") }
        case .aborted:
            let isIncomplete =
                !order.isComplete && order.id == job.id || order.isVague || order.mayExist && order.marks.isEmpty
            let isGivenUp = temper.policies[printerNames.firstIndex(of: job.printer) ?? 0] == .abortJob
            let isBlamed = !causes.isDisjoint(with: [.abortedAtDevice, .unreadable, .refused, .worker])
            if !isIncomplete && !isGivenUp && !isBlamed { violate("aborted without a reason: \(words)") }
        default: violate("has not come to its end: \(words)")
        }
    }

    /// The log tells the same story: it begins with the job's creation, ends with its end, and nothing follows.
    private func checkEvents(of jobs: [Row]) {
        let log = rows("SELECT job_id, kind, IFNULL(state, 0) FROM events WHERE job_id IS NOT NULL ORDER BY sequence")
        let byJob = Dictionary(grouping: log) { $0[0] }.mapValues { $0.map { Array($0.dropFirst()) } }
        for job in jobs { check(byJob[String(job.id)] ?? [], of: job) }
    }

    private func check(_ events: [[String]], of job: Row) {
        if events.first?[0] != "job-created" { violate("the log of job \(job.id) does not begin with its creation") }
        if events.count(where: { $0[0] == "job-completed" }) != 1 || events.last?[0] != "job-completed" {
            violate("the log of job \(job.id) does not end with its end: \(events)")
        }
        if events.last?[1] != job.state.map({ "\($0.rawValue)" }) {
            violate("the log of job \(job.id) ends with another state than the job has: \(events)")
        }
    }

    /// First come, first served: of jobs of one printer and priority that were submitted whole and then left alone, the
    /// lower id has its document at the printer first.
    ///
    /// A job that was in doubt and printed again, and one that never reached the printer, prove nothing.
    private func checkOrder(at printer: String) {
        var last: [Int: (id: Int, name: String)] = [:]
        var seen: Set<String> = []
        for name in devices["device:\(printer)"]?.arrivals ?? [] {
            guard let order = ledger.orders[name], order.isPlain, let id = order.id, seen.insert(name).inserted
            else { continue }
            if let before = last[order.priority], before.id > id {
                violate("\(before.name), job \(before.id), came to \(printer) before \(name), job \(id)")
            }
            last[order.priority] = (id, name)
        }
    }
}
