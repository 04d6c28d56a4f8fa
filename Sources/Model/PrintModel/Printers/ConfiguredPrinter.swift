// A printer, as the queue knows it and as it says of itself.

/// A printer of the queue.
public struct ConfiguredPrinter: Hashable, Sendable, Codable {
    /// The name in the queue: letters, digits, `-`, `_`, `.`; it appears in URIs.
    public var name: String
    /// Where it is: see `DeviceURI`.
    public var deviceURI: String
    /// What people call it (IPP `printer-info`).
    public var info: String
    /// Where it stands (IPP `printer-location`).
    public var location: String
    /// Whether jobs without a printer go here.
    public var isDefault: Bool
    /// Whether someone has paused it: jobs wait.
    public var isPaused: Bool
    /// Why it is paused, in words.
    public var pauseMessage: String
    /// Whether it takes new jobs (IPP `printer-is-accepting-jobs`).
    public var isAccepting: Bool
    /// What becomes of a job that cannot be delivered.
    public var errorPolicy: ErrorPolicy
    /// What becomes of a job that the printer gives up through no fault of the job's documents.
    public var afterInterruption: AfterInterruption
    /// What its jobs ask for that do not say: option names of `PrintOption` and their values (CUPS `NAME-default`).
    public var options: [String: String]
    /// Who may print on it.
    public var users: PrinterUsers

    /// What becomes of a job that cannot be delivered (CUPS `printer-error-policy`).
    public enum ErrorPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is tried again, ever more slowly, for ever.
        case retryJob = "retry-job"
        /// It is given up.
        case abortJob = "abort-job"
        /// The printer is paused, the job waits.
        case stopPrinter = "stop-printer"
    }

    /// What becomes of a job that the printer gives up through no fault of the job's documents: the printer lost power, was
    /// reset, or lost its connection (`printq-after-interruption`).
    public enum AfterInterruption: String, Hashable, Sendable, Codable, CaseIterable {
        /// The job is suspended until a person resumes, reprints or cancels it.
        case ask
        /// The job goes on with the first sheet that was not seen printed. The job is suspended when the printer does not count
        /// what it prints, or when several tries have printed nothing.
        case `continue`
        /// The job is aborted.
        case abort
    }

    /// A printer of the queue.
    public init(
        name: String, deviceURI: String, info: String = "", location: String = "", isDefault: Bool = false,
        isPaused: Bool = false, pauseMessage: String = "", isAccepting: Bool = true,
        errorPolicy: ErrorPolicy = .retryJob, afterInterruption: AfterInterruption = .ask,
        options: [String: String] = [:], users: PrinterUsers = .everybody
    ) {
        self.name = name
        self.deviceURI = deviceURI
        self.info = info
        self.location = location
        self.isDefault = isDefault
        self.isPaused = isPaused
        self.pauseMessage = pauseMessage
        self.isAccepting = isAccepting
        self.errorPolicy = errorPolicy
        self.afterInterruption = afterInterruption
        self.options = options
        self.users = users
    }

    /// What a job asks for that says nothing; options that the printer has no more are left out.
    ///
    /// - Parameter capabilities: what it can do; nil when nobody knows.
    public func defaultTicket(for capabilities: PrinterCapabilities?) -> JobTicket {
        var ticket = JobTicket()
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            var wanted = ticket
            guard (try? wanted.set(name, to: value, at: 0)) != nil else { continue }
            if capabilities.map({ wanted.plan(for: $0).conflicts.isEmpty }) ?? true { ticket = wanted }
        }
        return ticket
    }

    /// Whether `name` can be a printer's name: 1…127 letters, digits, `-`, `_` and `.`, beginning with a letter or digit.
    public static func isValidName(_ name: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
        }
        guard let first = name.utf8.first, isAlphanumeric(first), name.utf8.count <= 127 else { return false }
        return name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 45 || $0 == 95 || $0 == 46 }
    }
}

/// The state of a printer (IPP `printer-state`, RFC 8011 §5.4.11); the raw values are IPP's.
public enum PrinterState: Int, Hashable, Sendable, Codable {
    /// It has nothing to do.
    case idle = 3
    /// It prints.
    case processing = 4
    /// It does not print, whatever comes, until someone sees to it.
    case stopped = 5
}

/// What a printer says of itself at one moment.
public struct PrinterStatus: Hashable, Sendable, Codable {
    /// Its state.
    public var state: PrinterState
    /// Why: keywords such as `media-empty-error` (IPP `printer-state-reasons`); empty when there is nothing to say.
    public var reasons: [String]
    /// The state in words.
    public var message: String
    /// Whether it takes new jobs.
    public var isAccepting: Bool
    /// What somebody should see to, as the printer has it (IPP `printer-alert`, PWG 5100.9); empty when it says nothing.
    public var alerts: [Alert]
    /// Its ink, toner and the like (IPP `printer-supply`, PWG 5100.13); empty when it does not say.
    public var supplies: [Supply]

    /// Something that somebody should see to.
    public struct Alert: Hashable, Sendable, Codable {
        /// For programs: `code=coverOpen;severity=critical;…` (PWG 5100.9 §5.2).
        public var value: String
        /// For people; empty when the printer has no words for it (IPP `printer-alert-description`).
        public var description: String

        /// An alert.
        public init(value: String, description: String) {
            self.value = value
            self.description = description
        }
    }

    /// Ink, toner, or another thing that is used up, or that fills up.
    public struct Supply: Hashable, Sendable, Codable {
        /// What people call it: `Black ink`.
        public var name: String
        /// What it is, an IPP keyword of `marker-types`: `toner`, `ink-cartridge`, `waste-toner`.
        public var type: String
        /// Its color as `#RRGGBB`; `none` for a supply without color.
        public var color: String
        /// How full it is, in percent; nil when the printer does not know.
        public var level: Int?
        /// The level in percent at which it is low.
        public var lowLevel: Int
        /// The level in percent at which it is full.
        public var highLevel: Int
        /// All that the printer says of it: `index=1;class=supplyThatIsConsumed;…` (PWG 5100.13 §5.6.7); empty when the
        /// printer says no more than the rest.
        public var value: String

        /// A supply.
        public init(
            name: String, type: String, color: String = "none", level: Int?, lowLevel: Int = 10, highLevel: Int = 100,
            value: String = ""
        ) {
            self.name = name
            self.type = type
            self.color = color
            self.level = level
            self.lowLevel = lowLevel
            self.highLevel = highLevel
            self.value = value
        }
    }

    /// A status.
    public init(
        state: PrinterState, reasons: [String] = [], message: String = "", isAccepting: Bool = true,
        alerts: [Alert] = [], supplies: [Supply] = []
    ) {
        self.state = state
        self.reasons = reasons
        self.message = message
        self.isAccepting = isAccepting
        self.alerts = alerts
        self.supplies = supplies
    }

    /// What there is to see to, in the best words there are; empty when there is nothing.
    public var words: String {
        if !message.isEmpty { return message }
        let described = alerts.map(\.description).filter { !$0.isEmpty }
        return (described.isEmpty ? reasons : described).joined(separator: ", ")
    }
}

/// What a printer can do.
public struct PrinterCapabilities: Hashable, Sendable, Codable {
    /// Its make and model.
    public var makeAndModel: String
    /// The papers it can print on, with their margins; a borderless one stands as a paper of its own.
    public var papers: [PrintPaper]
    /// The papers that are loaded; empty when it does not say.
    public var readyPapers: [PrintPaper]
    /// The medium it takes when none is asked for.
    public var defaultMedia: Media
    /// The sizes of paper it can be asked for beyond the named ones; nil for none.
    public var customMedia: MediaRange?
    /// On which sides it can print.
    public var duplexModes: [Duplex]
    /// Its own default.
    public var defaultDuplex: Duplex
    /// In which colour modes it can print.
    public var colorModes: [ColorMode]
    /// How well it can print.
    public var qualities: [PrintQuality]
    /// Its resolutions, in dots per inch, across and along.
    public var resolutions: [Int]
    /// The resolutions that jobs can ask for, in dots per inch; of a printer that says nothing, the usual one.
    public var offeredResolutions: [Int] {
        let usable = resolutions.filter { $0 > 0 }
        return usable.isEmpty ? [RasterResolution.usual.feed] : usable
    }
    /// The formats it takes.
    public var formats: [DocumentFormat]
    /// The most copies it makes by itself; 1 when it makes none.
    public var maxCopies: Int
    /// Whether it makes copies in sets by itself.
    public var collates: Bool
    /// Pages a minute; nil when it does not say.
    public var pagesPerMinute: Int?
    /// How it can fit pages onto paper by itself; nil when it does not say.
    public var scalings: [PrintScaling]?
    /// When it can cut its roll; empty when it has no cutter.
    public var trimmings: [Trimming]
    /// When it cuts its roll if it is not told.
    public var defaultTrimming: Trimming
    /// What its jobs ask for where their tickets say nothing, such as the saved options of a queue of CUPS; nil for nothing.
    public var presets: JobTicket?
    /// What it takes of documents of pixels.
    public var rasters: RasterCapabilities
    /// Its IEEE 1284 device id (IPP `printer-device-id`); nil when it does not say.
    public var deviceID: String?
    /// How people can find it, IPP keywords of `identify-actions`, its default first: `flash`, `sound`, `display`; empty
    /// when it cannot make itself noticed.
    public var identifyActions: [String] = []

    /// Sizes of paper that can be asked for.
    public struct MediaRange: Hashable, Sendable, Codable {
        /// The narrowest and the widest.
        public var width: ClosedRange<Int>
        /// The shortest and the longest.
        public var height: ClosedRange<Int>
        /// The margins of such papers.
        public var margins: Margins
        /// Whether the printer reports that such papers come from a roll (IPP `media-source`).
        public var isRoll: Bool

        /// Bounds in hundredths of a millimetre.
        public init(width: ClosedRange<Int>, height: ClosedRange<Int>, margins: Margins, isRoll: Bool = false) {
            self.width = width
            self.height = height
            self.margins = margins
            self.isRoll = isRoll
        }

        /// Whether a medium lies within the bounds.
        public func contains(_ media: Media) -> Bool {
            width.contains(media.width.hundredths) && height.contains(media.height.hundredths)
        }

        /// The bounds for people: `any size from 55 × 89 to 216 × 356 mm, such as 100x150mm`.
        public var words: String {
            func size(_ width: Int, _ height: Int) -> String {
                "\(Length(hundredths: width).millimeterWords) × \(Length(hundredths: height).millimeterWords)"
            }
            let smallest = size(width.lowerBound, height.lowerBound)
            let largest = size(width.upperBound, height.upperBound)
            return "any size from \(smallest) to \(largest) mm, such as \(example)"
        }

        /// A size that can be asked for, as people write it: the nearest to a photograph of 10 × 15 cm.
        public var example: String {
            func nearest(_ wanted: Int, _ bounds: ClosedRange<Int>) -> String {
                let clamped = min(max(wanted, bounds.lowerBound), bounds.upperBound)
                let whole = [clamped / 100 * 100, (clamped + 99) / 100 * 100].first(where: bounds.contains)
                return Length(hundredths: whole ?? clamped).millimeterWords
            }
            return "\(nearest(10_000, width))x\(nearest(15_000, height))mm"
        }
    }

    /// What a printer can do.
    public init(
        makeAndModel: String, papers: [PrintPaper], readyPapers: [PrintPaper] = [], defaultMedia: Media,
        customMedia: MediaRange? = nil, duplexModes: [Duplex] = [.none], defaultDuplex: Duplex = .none,
        colorModes: [ColorMode] = [.monochrome], qualities: [PrintQuality] = [.normal], resolutions: [Int] = [300],
        formats: [DocumentFormat], maxCopies: Int = 1, collates: Bool = false, pagesPerMinute: Int? = nil,
        scalings: [PrintScaling]? = nil,
        trimmings: [Trimming] = [], defaultTrimming: Trimming = .never, presets: JobTicket? = nil,
        rasters: RasterCapabilities = RasterCapabilities()
    ) {
        self.makeAndModel = makeAndModel
        self.papers = papers
        self.readyPapers = readyPapers
        self.defaultMedia = defaultMedia
        self.customMedia = customMedia
        self.duplexModes = duplexModes
        self.defaultDuplex = defaultDuplex
        self.colorModes = colorModes
        self.qualities = qualities
        self.resolutions = resolutions
        self.formats = formats
        self.maxCopies = maxCopies
        self.collates = collates
        self.pagesPerMinute = pagesPerMinute
        self.scalings = scalings
        self.trimmings = trimmings
        self.defaultTrimming = defaultTrimming
        self.presets = presets
        self.rasters = rasters
    }
}

extension PrinterCapabilities {
    /// Whether a paper comes from a roll, so that pieces of it can have any length.
    ///
    /// The printer must take custom sizes of the paper's width. Custom sizes alone are not a roll: many printers feed sheets of
    /// any size. One of these says that there is a roll:
    /// - The paper's type is `continuous`, `labels-continuous` or the like (PWG 5101.1 §4).
    /// - The custom sizes come from a roll (IPP `media-source`, such as `main-roll`).
    /// - The printer has a cutter (IPP `finishings`, such as `trim-after-pages`).
    /// - The custom sizes have a single width, and differ in length only.
    public func isFromRoll(_ paper: PrintPaper) -> Bool {
        guard let sizes = customMedia, sizes.width.contains(paper.media.width.hundredths) else { return false }
        if let type = paper.type, type.split(separator: "-").contains("continuous") { return true }
        if sizes.isRoll || trimmings.contains(where: { $0 != .never }) { return true }
        return sizes.width.count == 1 && sizes.height.count > 1
    }
}
