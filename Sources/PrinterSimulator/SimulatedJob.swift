// A job at a simulated printer.

package import PrintModel

/// A job at a simulated printer, as it is at one moment.
package struct SimulatedJob: Hashable, Sendable, Identifiable {
    /// Its number (IPP `job-id`); never used twice by a printer, whatever happens.
    package var id: Int
    /// Its universal name (IPP `job-uuid`).
    package var uuid: String
    /// Its name.
    package var name: String
    /// Who sent it.
    package var owner: String
    /// What the sender asked for, as it was received.
    package var ticket: JSONValue
    /// What the printer does, after what it cannot do has been replaced.
    package var options: DeviceOptions
    /// The pages to print.
    package var pageRanges: PageRanges
    /// How an image lies on the paper; nil when nobody said.
    package var orientation: Orientation?
    /// Until when it must not be printed.
    package var hold: HoldUntil
    /// How urgent it is, from 1 to 100 (IPP `job-priority`).
    package var priority: Int
    /// When the paper is cut, if it comes from a roll.
    package var rollCut: RollCut
    /// Where its sheets come out (IPP `output-bin`).
    package var outputBin = ""
    /// How its sheets lie there; nil until the printer has read the document.
    package var stack: Stack?
    /// The pieces that came out of a roll; none when the paper was in sheets.
    package var pieces: [RollPiece] = []
    /// Its documents, in order.
    package var documents: [Document]
    /// Its state.
    package var state: JobState
    /// Why it is in that state.
    package var reasons: [JobStateReason]
    /// The state in words; empty when there is nothing to say.
    package var message: String
    /// When it was made.
    package var createdAt: UnixTime
    /// When the printer took it up.
    package var processingAt: UnixTime?
    /// When it ended.
    package var completedAt: UnixTime?
    /// The sides of all copies, blank backs included; nil until the printer has read the document.
    package var impressions: Int?
    /// The sides printed so far.
    package var impressionsCompleted: Int
    /// The sheets of all copies; nil until the printer has read the document.
    package var sheets: Int?
    /// The sheets put out so far.
    package var sheetsCompleted: Int
    /// What is not as it was asked for, or was cut off, in words.
    package var warnings: [String]
    /// What its sender asked for and whoever took the job could not pass on.
    package var untaken: [JobSubstitution] = []

    /// How sheets lie in an output bin, seen as one takes them out.
    package enum Stack: String, Hashable, Sendable, Codable {
        /// In the order of the pages.
        case firstOnTop = "first-sheet-on-top"
        /// The other way round.
        case lastOnTop = "last-sheet-on-top"
    }

    /// A document of a job.
    package struct Document: Hashable, Sendable, Codable {
        /// Its file in the job's folder: `original.pdf`.
        package var file: String
        /// Its name, if the sender gave one.
        package var name: String?
        /// Its format.
        package var format: DocumentFormat
        /// Its size in bytes.
        package var bytes: Int
    }

    /// The name of its folder within the printer's: `job-000012`.
    package var folder: String { Self.folder(id) }

    static func folder(_ id: Int) -> String {
        let digits = "\(id)"
        return "job-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}

/// A job to be made at a simulated printer.
package struct SimulatedJobRequest: Sendable {
    /// Its name.
    package var name: String
    /// Who sends it.
    package var owner: String
    /// What is asked for, as it was received; it is only kept, for `job.json`.
    package var ticket: JSONValue
    /// What is asked for, as the printer understands it.
    package var options: DeviceOptions
    /// The pages to print.
    package var pageRanges: PageRanges
    /// How an image lies on the paper; nil when nobody said.
    package var orientation: Orientation?
    /// Until when it must not be printed.
    package var hold: HoldUntil
    /// How urgent it is, from 1 to 100 (IPP `job-priority`).
    package var priority: Int
    /// When paper from a roll is cut; nil leaves it to the printer.
    package var rollCut: RollCut?
    /// Where its sheets are to come out (IPP `output-bin`); nil leaves it to the printer.
    package var outputBin: String?
    /// What the sender asked for and whoever takes the job cannot pass on.
    package var untaken: [JobSubstitution] = []

    /// A request.
    package init(
        name: String, owner: String, ticket: JSONValue = [:], options: DeviceOptions, pageRanges: PageRanges = .all,
        orientation: Orientation? = nil, hold: HoldUntil = .noHold, priority: Int = 50, rollCut: RollCut? = nil,
        outputBin: String? = nil
    ) {
        self.name = name
        self.owner = owner
        self.ticket = ticket
        self.options = options
        self.pageRanges = pageRanges
        self.orientation = orientation
        self.hold = hold
        self.priority = priority
        self.rollCut = rollCut
        self.outputBin = outputBin
    }
}
