// The names of jobs' folders.

/// The folder of a job within its printer's folder, by its name.
///
///     job-000012           The job with the number 12: of the queue that the printer prints for, or, when the printer prints
///                          for no queue, of the printer.
///     job-000012-2         The same job of a queue, sent to the printer for the second time.
///     printer-job-000012   At a printer that prints for a queue, a job with the printer's own number 12: one that another
///                          client sent, or that was printed before the folders bore the queue's numbers.
struct JobFolder: Hashable {
    /// Whose number a folder bears.
    enum Kind: String {
        /// The queue's, or the printer's when the printer prints for no queue.
        case job = "job-"
        /// The printer's, at a printer that prints for a queue.
        case ofPrinter = "printer-job-"
    }

    let kind: Kind
    let number: Int
    /// How often the job was sent to the printer.
    let delivery: Int

    /// A folder.
    init(_ kind: Kind, _ number: Int, delivery: Int = 1) {
        self.kind = kind
        self.number = number
        self.delivery = delivery
    }

    /// Reads a name; nil when it is not that of a job's folder.
    init?(name: String) {
        guard let kind = [Kind.ofPrinter, .job].first(where: { name.hasPrefix($0.rawValue) }) else { return nil }
        let parts = name.dropFirst(kind.rawValue.count).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.map { Int($0) ?? 0 }
        guard (1...2).contains(numbers.count), numbers.allSatisfy({ $0 > 0 }) else { return nil }
        self.init(kind, numbers[0], delivery: numbers.count > 1 ? numbers[1] : 1)
    }

    /// The name.
    var name: String {
        let digits = "\(number)"
        return kind.rawValue + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            + (delivery > 1 ? "-\(delivery)" : "")
    }

    /// Whether a job that was read from the folder can belong there.
    func isRight(for job: SimulatedJob) -> Bool {
        kind == .job && job.queueNumber == number || delivery == 1 && job.id == number
    }

    /// Whether the number is the printer's own.
    func isNumberedByPrinter(isOfQueue: Bool) -> Bool { kind == .ofPrinter || !isOfQueue }
}
