// Defines a printer of the queue, its status and its capabilities.

/// A printer of the queue.
public struct ConfiguredPrinter: Hashable, Sendable, Codable {
    /// The name in the queue: letters, digits, `-`, `_`, `.`.
    ///
    /// The name is part of the printer's URIs.
    public var name: String
    /// The URI of the printer; see `DeviceURI`.
    public var deviceURI: String
    /// The description for users (IPP `printer-info`).
    public var info: String
    /// The location (IPP `printer-location`).
    public var location: String
    /// Whether the printer is the default for jobs without a printer.
    public var isDefault: Bool
    /// Whether the printer was paused by a user, so that its jobs wait.
    public var isPaused: Bool
    /// The reason for the pause, for users.
    public var pauseMessage: String
    /// Whether the printer accepts new jobs (IPP `printer-is-accepting-jobs`).
    public var isAccepting: Bool
    /// The action for a job that cannot be delivered.
    public var errorPolicy: ErrorPolicy
    /// The action for a job that the printer aborts, unless the documents are the cause.
    public var afterInterruption: AfterInterruption
    /// The default options for jobs that do not set them: option names of `PrintOption` and their values (CUPS
    /// `NAME-default`).
    public var options: [String: String]
    /// The users who may print on this printer.
    public var users: PrinterUsers

    /// The action for a job that cannot be delivered (CUPS `printer-error-policy`).
    public enum ErrorPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// The job is retried without limit, with increasing delays.
        case retryJob = "retry-job"
        /// The job is aborted.
        case abortJob = "abort-job"
        /// The printer is paused, and the job waits.
        case stopPrinter = "stop-printer"
    }

    /// The action for a job that the printer aborts after a power loss, a reset or a lost connection, but not because
    /// of its documents (`printq-after-interruption`).
    public enum AfterInterruption: String, Hashable, Sendable, Codable, CaseIterable {
        /// The job is suspended until a user resumes, reprints or cancels it.
        case ask
        /// The job continues with the first sheet that the printer did not report as printed. The job is suspended if
        /// the printer does not count sheets, or if several attempts have printed nothing.
        case `continue`
        /// The job is aborted.
        case abort
    }

    /// Creates a printer of the queue.
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

    /// Returns the default options of jobs, except options that the printer no longer supports.
    ///
    /// - Parameter capabilities: The printer's capabilities; nil if unknown.
    public func defaultTicket(for capabilities: PrinterCapabilities?) -> JobTicket {
        var ticket = JobTicket()
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            var wanted = ticket
            guard (try? wanted.set(name, to: value, at: 0)) != nil else { continue }
            if capabilities.map({ wanted.plan(for: $0).conflicts.isEmpty }) ?? true { ticket = wanted }
        }
        return ticket
    }

    /// Returns whether a printer can have this name: 1…127 letters, digits, `-`, `_` and `.`, starting with a letter or
    /// digit.
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
    /// The printer has no job to print.
    case idle = 3
    /// The printer is printing.
    case processing = 4
    /// The printer does not print until a person resolves a problem.
    case stopped = 5
}

/// The status that a printer reports at one moment.
public struct PrinterStatus: Hashable, Sendable, Codable {
    /// The state.
    public var state: PrinterState
    /// The reasons for the state: keywords such as `media-empty-error` (IPP `printer-state-reasons`); may be empty.
    public var reasons: [String]
    /// A description of the state for users.
    public var message: String
    /// Whether the printer accepts new jobs.
    public var isAccepting: Bool
    /// The problems that require attention (IPP `printer-alert`, PWG 5100.9); empty when the printer reports no
    /// problem.
    public var alerts: [Alert]
    /// The supplies, such as ink and toner (IPP `printer-supply`, PWG 5100.13); empty when the printer reports no
    /// supplies.
    public var supplies: [Supply]

    /// A problem that requires attention.
    public struct Alert: Hashable, Sendable, Codable {
        /// The problem for programs: `code=coverOpen;severity=critical;…` (PWG 5100.9 §5.2).
        public var value: String
        /// The problem for users; empty when the printer reports no description (IPP `printer-alert-description`).
        public var description: String

        /// Creates an alert.
        public init(value: String, description: String) {
            self.value = value
            self.description = description
        }
    }

    /// A supply that is used up or fills up, such as ink, toner or a waste container.
    public struct Supply: Hashable, Sendable, Codable {
        /// The name for users: `Black ink`.
        public var name: String
        /// The type, an IPP keyword of `marker-types`: `toner`, `ink-cartridge`, `waste-toner`.
        public var type: String
        /// The color as `#RRGGBB`; `none` for a supply without color.
        public var color: String
        /// The level in percent; nil when the level is unknown.
        public var level: Int?
        /// The level in percent at which the supply is low.
        public var lowLevel: Int
        /// The level in percent at which the supply is full.
        public var highLevel: Int
        /// All properties that the printer reports: `index=1;class=supplyThatIsConsumed;…` (PWG 5100.13 §5.6.7); empty
        /// when the printer reports only the other properties.
        public var value: String

        /// Creates a supply.
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

    /// Creates a status.
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

    /// The best available description of the status: the message, the alerts or the reasons; empty when the printer
    /// reports no description.
    public var words: String {
        if !message.isEmpty { return message }
        let described = alerts.map(\.description).filter { !$0.isEmpty }
        return (described.isEmpty ? reasons : described).joined(separator: ", ")
    }
}

/// The capabilities of a printer.
public struct PrinterCapabilities: Hashable, Sendable, Codable {
    /// The make and model.
    public var makeAndModel: String
    /// The supported papers with their margins; borderless paper is a separate entry.
    public var papers: [PrintPaper]
    /// The loaded papers; empty when the printer does not report them.
    public var readyPapers: [PrintPaper]
    /// The medium for jobs that request no medium.
    public var defaultMedia: Media
    /// The range of supported custom sizes; nil if custom sizes are not supported.
    public var customMedia: MediaRange?
    /// The supported sides.
    public var duplexModes: [Duplex]
    /// The sides for jobs that do not request sides.
    public var defaultDuplex: Duplex
    /// The supported color modes.
    public var colorModes: [ColorMode]
    /// The supported print qualities.
    public var qualities: [PrintQuality]
    /// The supported resolutions, in dots per inch, for both directions.
    public var resolutions: [Int]
    /// The resolutions that jobs can request, in dots per inch; the usual resolution for a printer that reports no
    /// resolution.
    public var offeredResolutions: [Int] {
        let usable = resolutions.filter { $0 > 0 }
        return usable.isEmpty ? [RasterResolution.usual.feed] : usable
    }
    /// The supported document formats.
    public var formats: [DocumentFormat]
    /// The maximum number of copies that the printer makes itself; 1 if the printer makes no copies.
    public var maxCopies: Int
    /// Whether the printer collates copies.
    public var collates: Bool
    /// The speed in pages per minute; nil when the printer does not report it.
    public var pagesPerMinute: Int?
    /// The supported scaling modes; nil when the printer does not report scaling modes.
    public var scalings: [PrintScaling]?
    /// The points at which the printer can cut its paper roll; empty for a printer without a cutter.
    public var trimmings: [Trimming]
    /// The point at which the printer cuts its paper roll by default.
    public var defaultTrimming: Trimming
    /// The default options for jobs that do not set them, such as the saved options of a CUPS queue; nil if there are
    /// no default options.
    public var presets: JobTicket?
    /// The supported raster formats.
    public var rasters: RasterCapabilities
    /// The IEEE 1284 device ID (IPP `printer-device-id`); nil when the printer does not report it.
    public var deviceID: String?
    /// The actions by which the printer can identify itself, IPP keywords of `identify-actions`, default first:
    /// `flash`, `sound`, `display`; empty when the printer cannot identify itself.
    public var identifyActions: [String] = []

    /// A range of custom paper sizes.
    public struct MediaRange: Hashable, Sendable, Codable {
        /// The minimum and maximum width.
        public var width: ClosedRange<Int>
        /// The minimum and maximum height.
        public var height: ClosedRange<Int>
        /// The margins of custom sizes.
        public var margins: Margins
        /// Whether the printer reports that custom sizes come from a roll (IPP `media-source`).
        public var isRoll: Bool

        /// Creates a range in hundredths of a millimeter.
        public init(width: ClosedRange<Int>, height: ClosedRange<Int>, margins: Margins, isRoll: Bool = false) {
            self.width = width
            self.height = height
            self.margins = margins
            self.isRoll = isRoll
        }

        /// Returns whether the size of a medium lies within the range.
        public func contains(_ media: Media) -> Bool {
            width.contains(media.width.hundredths) && height.contains(media.height.hundredths)
        }

        /// The range as text for users: `any size from 55 × 89 to 216 × 356 mm, such as 100x150mm`.
        public var words: String {
            func size(_ width: Int, _ height: Int) -> String {
                "\(Length(hundredths: width).millimeterWords) × \(Length(hundredths: height).millimeterWords)"
            }
            let smallest = size(width.lowerBound, height.lowerBound)
            let largest = size(width.upperBound, height.upperBound)
            return "any size from \(smallest) to \(largest) mm, such as \(example)"
        }

        /// A size within the range, as a user would write it: the size nearest to a photo of 10 × 15 cm.
        public var example: String {
            func nearest(_ wanted: Int, _ bounds: ClosedRange<Int>) -> String {
                let clamped = min(max(wanted, bounds.lowerBound), bounds.upperBound)
                let whole = [clamped / 100 * 100, (clamped + 99) / 100 * 100].first(where: bounds.contains)
                return Length(hundredths: whole ?? clamped).millimeterWords
            }
            return "\(nearest(10_000, width))x\(nearest(15_000, height))mm"
        }
    }

    /// Creates the capabilities of a printer.
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
    /// Returns whether a paper comes from a roll, so that sheets of any length can be cut.
    ///
    /// The printer must support custom sizes of the paper's width. Custom sizes alone do not imply a roll, because many
    /// printers feed sheets of any size. At least one of these conditions must hold:
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
