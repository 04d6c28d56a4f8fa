// The names of job folders.

/// The folder of a job in its printer's output folder.
///
///     job-000012           The job with the number 12. If the printer belongs to a spooler's queue, the queue assigns
///                          the number. Otherwise the printer assigns the number.
///     job-000012-2         The same job of a queue, sent to the printer for the second time.
///     printer-job-000012   A job to which a printer of a queue has assigned the number 12. Another client sent the
///                          job, or the job was printed before the printer belonged to the queue.
struct JobFolder: Hashable {
    enum Kind: String {
        /// A job number that the spooler's queue, or a printer without a queue, has assigned.
        case job = "job-"
        /// A job number that a printer of a queue has assigned.
        case ofPrinter = "printer-job-"
    }

    let kind: Kind
    let number: Int
    /// The number of the delivery: 1 for the first time that the job was sent to the printer, 2 for the second time.
    let delivery: Int

    init(_ kind: Kind, _ number: Int, delivery: Int = 1) {
        self.kind = kind
        self.number = number
        self.delivery = delivery
    }

    init?(name: String) {
        guard let kind = [Kind.ofPrinter, .job].first(where: { name.hasPrefix($0.rawValue) }) else { return nil }
        let parts = name.dropFirst(kind.rawValue.count).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.map { Int($0) ?? 0 }
        guard (1...2).contains(numbers.count), numbers.allSatisfy({ $0 > 0 }) else { return nil }
        self.init(kind, numbers[0], delivery: numbers.count > 1 ? numbers[1] : 1)
    }

    var name: String {
        let digits = "\(number)"
        return kind.rawValue + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            + (delivery > 1 ? "-\(delivery)" : "")
    }

    /// Returns whether the folder name contains the number that the printer or the queue has assigned to the job.
    func isRight(for job: SimulatedJob) -> Bool {
        kind == .job && job.queueNumber == number || delivery == 1 && job.id == number
    }

    func isNumberedByPrinter(isOfQueue: Bool) -> Bool { kind == .ofPrinter || !isOfQueue }
}
