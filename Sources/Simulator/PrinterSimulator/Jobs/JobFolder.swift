// The names of job folders.

/// The folder of a job in its printer's output folder.
///
///     job-000012           The job with the number 12. For a printer of a spooler's queue, this is the queue's number,
///                          otherwise the printer's number.
///     job-000012-2         The same job of a queue, sent to the printer for the second time.
///     printer-job-000012   A job with the printer's number 12, for a printer of a spooler's queue. Another client sent
///                          the job, or it was printed before the printer belonged to a queue.
struct JobFolder: Hashable {
    /// The origin of the number in a folder name.
    enum Kind: String {
        /// The queue's number, or the printer's number when the printer belongs to no queue.
        case job = "job-"
        /// The printer's number, for a printer that belongs to a queue.
        case ofPrinter = "printer-job-"
    }

    let kind: Kind
    let number: Int
    /// The number of times that the job was sent to the printer.
    let delivery: Int

    /// Creates a folder name.
    init(_ kind: Kind, _ number: Int, delivery: Int = 1) {
        self.kind = kind
        self.number = number
        self.delivery = delivery
    }

    /// Parses a folder name; nil when it is not the name of a job folder.
    init?(name: String) {
        guard let kind = [Kind.ofPrinter, .job].first(where: { name.hasPrefix($0.rawValue) }) else { return nil }
        let parts = name.dropFirst(kind.rawValue.count).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.map { Int($0) ?? 0 }
        guard (1...2).contains(numbers.count), numbers.allSatisfy({ $0 > 0 }) else { return nil }
        self.init(kind, numbers[0], delivery: numbers.count > 1 ? numbers[1] : 1)
    }

    /// The name of the folder.
    var name: String {
        let digits = "\(number)"
        return kind.rawValue + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            + (delivery > 1 ? "-\(delivery)" : "")
    }

    /// Returns whether the folder name is valid for a job that was read from the folder.
    func isRight(for job: SimulatedJob) -> Bool {
        kind == .job && job.queueNumber == number || delivery == 1 && job.id == number
    }

    /// Returns whether the printer, and not a queue, assigned the number of the job.
    func isNumberedByPrinter(isOfQueue: Bool) -> Bool { kind == .ofPrinter || !isOfQueue }
}
