// A job of a simulated printer, and the request for a job.

package import PrintModel

/// A snapshot of a job of a simulated printer.
package struct SimulatedJob: Hashable, Sendable, Identifiable {
    /// The number of the job (IPP `job-id`).
    ///
    /// A printer never reuses a number.
    package var id: Int
    /// The name of the job's folder in the printer's output folder, such as `job-000012`.
    package var folder: String
    /// The number of the job in the spooler's queue; nil if the job came from another client.
    package var queueNumber: Int?
    /// The UUID of the job (IPP `job-uuid`).
    package var uuid: String
    package var name: String
    package var owner: String
    /// The received options, without any changes.
    package var ticket: JSONValue
    /// The options with which the printer prints the job.
    ///
    /// Options that the printer does not support are replaced.
    package var options: DeviceOptions
    package var pageRanges: PageRanges
    /// The requested orientation of images on the paper; nil if no orientation was requested.
    package var orientation: Orientation?
    /// The time until which the job is held; `noHold` if the job is not held.
    package var hold: HoldUntil
    /// The priority from 1 to 100 (IPP `job-priority`).
    package var priority: Int
    /// The points at which paper from a roll is cut.
    package var rollCut: RollCut
    /// The output bin of the printed sheets (IPP `output-bin`).
    package var outputBin = ""
    /// The order of the sheets in the output bin; nil before the printer has read the document.
    package var stack: Stack?
    /// The printed pieces of a roll; empty for sheets.
    package var pieces: [RollPiece] = []
    package var documents: [Document]
    package var state: JobState
    package var reasons: [JobStateReason]
    package var message: String
    package var createdAt: UnixTime
    package var processingAt: UnixTime?
    package var completedAt: UnixTime?
    /// The number of sides that are not blank, in all copies; nil before the printer has read the document.
    ///
    /// A blank back is not an impression (RFC 8011 §2.3.4), because the sheet does not pass through the print engine a
    /// second time.
    package var impressions: Int?
    package var impressionsCompleted: Int
    /// The number of sheets of all copies; nil before the printer has read the document.
    package var sheets: Int?
    package var sheetsCompleted: Int
    /// The arrangement of the pages on sheets; nil before the printer has read the document.
    package var plan: SheetPlan?
    /// The number of completed sides, including blank backs.
    package var sidesCompleted = 0
    /// The differences between the request and the output, such as replaced options and clipped content.
    package var warnings: [String]
    /// The failed checks of the content; empty before the printer has read the document.
    package var failedChecks: [JobCheck.Failure] = []
    /// The number of stored requests that created the job and sent its documents.
    package var requests = 0
    /// The requested options that the server could not convert.
    package var unconverted: [JobSubstitution] = []
    /// Whether the client requires all options as requested (IPP `ipp-attribute-fidelity`).
    package var requiresFidelity = false

    /// The order of the sheets in an output bin, from top to bottom.
    package enum Stack: String, Hashable, Sendable, Codable {
        /// The page order, in which the first sheet is on top.
        case firstOnTop = "first-sheet-on-top"
        /// The reverse page order, in which the last sheet is on top.
        case lastOnTop = "last-sheet-on-top"
    }

    package struct Document: Hashable, Sendable, Codable {
        /// The name of the document's file in the job's folder, such as `original.pdf`.
        package var file: String
        /// The name of the document; nil if the client sent no name.
        package var name: String?
        package var format: DocumentFormat
        package var bytes: Int
    }

    /// Returns the name of a document for messages: the document's name, or a name derived from the job.
    ///
    /// The `index` of the document counts from 0.
    func name(ofDocument index: Int) -> String {
        if let name = documents[index].name, !name.isEmpty { return name }
        return documents.count > 1 ? "document \(index + 1) of \(name)" : name
    }

    package var sidesPerSheet: Int { options.duplex == .none ? 1 : 2 }
}

package struct SimulatedJobRequest: Sendable {
    package var name: String
    package var owner: String
    /// The received options without any changes, for `job.json` only.
    package var ticket: JSONValue
    package var options: DeviceOptions
    package var pageRanges: PageRanges
    package var orientation: Orientation?
    package var hold: HoldUntil
    package var priority: Int
    /// The points at which paper from a roll is cut; nil means the printer's default.
    package var rollCut: RollCut?
    /// The requested output bin (IPP `output-bin`); nil means the printer's default.
    package var outputBin: String?
    package var unconverted: [JobSubstitution] = []
    package var requiresFidelity = false
    package var queueNumber: Int?
    /// The bytes of the request before the document, as the client sent them; empty if they are not stored.
    package var request: [UInt8] = []

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
