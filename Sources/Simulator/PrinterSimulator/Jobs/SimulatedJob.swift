// A job at a simulated printer.

package import PrintModel

/// A job at a simulated printer, as it is at one moment.
package struct SimulatedJob: Hashable, Sendable, Identifiable {
    /// Its number (IPP `job-id`); never used twice by a printer, whatever happens.
    package var id: Int
    /// The name of its folder within the printer's: `job-000012`.
    package var folder: String
    /// The number that it has in the queue it came from; nil when it came from elsewhere.
    package var queueNumber: Int?
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
    /// The sides of all copies that have something on them; nil until the printer has read the document.
    ///
    /// A back without content is no impression (RFC 8011 §2.3.4): the sheet does not pass the print engine a second time.
    package var impressions: Int?
    /// The sides with something on them that were printed so far.
    package var impressionsCompleted: Int
    /// The sheets of all copies; nil until the printer has read the document.
    package var sheets: Int?
    /// The sheets put out so far.
    package var sheetsCompleted: Int
    /// How its pages come out on sheets; nil until the printer has read the document.
    package var plan: SheetPlan?
    /// The sides done so far, blank backs included.
    package var sidesCompleted = 0
    /// What is not as it was asked for, or was cut off, in words.
    package var warnings: [String]
    /// What its sender asked for and whoever took the job could not pass on.
    package var untaken: [JobSubstitution] = []
    /// Whether its sender wants all of it as it is or nothing (IPP `ipp-attribute-fidelity`).
    package var requiresFidelity = false

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

    /// The name that people know a document by, counted from 0: its own, else the job's.
    func name(ofDocument index: Int) -> String {
        if let name = documents[index].name, !name.isEmpty { return name }
        return documents.count > 1 ? "document \(index + 1) of \(name)" : name
    }

    /// How many sides a sheet has.
    package var sidesPerSheet: Int { options.duplex == .none ? 1 : 2 }
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
    /// Whether the sender wants all of it as it is or nothing (IPP `ipp-attribute-fidelity`).
    package var requiresFidelity = false
    /// The number that the job has in the queue it comes from (`printq-job-id`); nil when it comes from elsewhere.
    package var queueNumber: Int?

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
