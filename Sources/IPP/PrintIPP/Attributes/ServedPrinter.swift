// A printer of ours, as IPP has it.

public import IPP
public import PrintModel

/// A printer as it is shown over IPP at one moment.
public struct ServedPrinter: Sendable {
    /// The printer's name, the last part of its URI.
    public var name: String
    /// What people call it.
    public var info: String
    /// Where it stands; empty when nobody has said.
    public var location: String
    /// Its universal name, `urn:uuid:…`.
    public var uuid: String
    /// Where jobs go from here; nil at the printer itself.
    public var deviceURI: String?
    /// Whether it is the one for jobs that name none.
    public var isDefault: Bool
    /// How it is.
    public var status: PrinterStatus
    /// When it came into that state.
    public var stateChangedAt: UnixTime
    /// What it can do.
    public var capabilities: PrinterCapabilities
    /// The formats that are taken, the default first.
    public var formats: [DocumentFormat]
    /// Who may print on it.
    public var users: PrinterUsers = .everybody
    /// Counts the jobs that wait or print; only called when somebody wants to know.
    public var queuedJobs: @Sendable () async -> Int
    /// What its jobs ask for that do not say.
    public var defaultTicket = JobTicket()
    /// Attributes beyond these.
    public var extra: [Attribute]
    /// Those of them that are otherwise for documents of a format (`document-format` in Get-Printer-Attributes).
    public var attributes: @Sendable (DocumentFormat) -> [Attribute] = { _ in [] }
    /// Whether the server has pages about it for people, and pictures of it.
    public var hasWebPages: Bool
    /// When its configuration was last changed; nil when that is not known.
    public var configurationChangedAt: UnixTime?
    /// Whether it has all that IPP Everywhere demands (PWG 5100.14), if its pages can be reached.
    public var isEverywhere = false

    /// A printer to show.
    public init(
        name: String, info: String, location: String = "", uuid: String, deviceURI: String? = nil,
        isDefault: Bool = false, status: PrinterStatus, stateChangedAt: UnixTime, capabilities: PrinterCapabilities,
        formats: [DocumentFormat],
        queuedJobs: @escaping @Sendable () async -> Int, extra: [Attribute] = [],
        hasWebPages: Bool = false
    ) {
        self.name = name
        self.info = info
        self.location = location
        self.uuid = uuid
        self.deviceURI = deviceURI
        self.isDefault = isDefault
        self.status = status
        self.stateChangedAt = stateChangedAt
        self.capabilities = capabilities
        self.formats = formats
        self.queuedJobs = queuedJobs
        self.extra = extra
        self.hasWebPages = hasWebPages
    }

    /// The printer as it is to documents of a format.
    func shown(for format: DocumentFormat) -> ServedPrinter {
        let own = attributes(format)
        var printer = self
        printer.extra = extra.filter { attribute in !own.contains { $0.name == attribute.name } } + own
        return printer
    }

    /// Whether an attribute asks for finishings that the printer says it has; what they are, its service knows.
    func finishes(_ attribute: Attribute) -> Bool {
        switch attribute.name {
        case "finishings": return offers(attribute) == true
        case "finishings-col":
            guard let numbers = FinishingTemplate.numbers(in: attribute) else { return false }
            return offers(Attribute("finishings", numbers.map { .enumeration($0) })) == true
        default: return false
        }
    }

    /// Whether an attribute asks for what the printer says it has; nil when nothing is said of it.
    func offers(_ attribute: Attribute) -> Bool? {
        let own = extra.first { $0.name == "\(attribute.name)-supported" }?.values ?? Self.usualValues[attribute.name]
        return own.map { own in
            attribute.values.allSatisfy { value in
                // Some clients send keywords as names.
                own.contains(value) || value.stringValue.map { word in own.contains { $0.stringValue == word } } == true
            }
        }
    }

    /// What printers have that say nothing else.
    static let usualValues: [String: [Value]] = [
        "print-content-optimize": [.keyword("auto")], "print-rendering-intent": [.keyword("auto")],
    ]

    /// The attributes of a job whose values must be among those that the printer itself says.
    static let checkedAttributes: Set = [
        "output-bin", "print-content-optimize", "print-rendering-intent", "print-scaling", "printer-resolution",
    ]

    /// The attributes of a job that only the printer itself knows.
    static let ownAttributes = ["finishings", "output-bin"]
}
