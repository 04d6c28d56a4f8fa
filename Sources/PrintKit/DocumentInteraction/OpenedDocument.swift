// The document that a program was asked to open, and the message with which the request arrives.

public import FoundationEssentials
import Glibc
public import PrintKit

/// A document that another program has asked this program to open (`UIApplication.LaunchOptionsKey`: `url`,
/// `sourceApplication`, `annotation`).
///
///     if let document = OpenedDocument.fromArguments() {
///         show(document.url, for: document.sourceApplication)
///         let page = try document.annotation(as: Int.self)
///     }
///
/// `OpenRequests` receives the documents of applications that D-Bus activates.
public struct OpenedDocument: Hashable, Sendable {
    /// The environment variable that contains the request: a JSON object with the strings `url`, `source` and
    /// `annotation`.
    ///
    /// Only the user can read the environment of a program.
    public static let environmentVariable = "PRINTKIT_OPENED_DOCUMENT"

    /// A `file:` URL, or the URL that the other program has passed.
    public var url: URL
    /// The identifier of the program that asks: the name of its desktop entry, otherwise the name of the program; `nil`
    /// if the program is unknown.
    public var sourceApplication: String?
    /// The custom data of the program that asks, as JSON; `nil` for no data.
    public var annotationData: Data?

    /// Creates a document with the values of a request.
    public init(url: URL, sourceApplication: String? = nil, annotationData: Data? = nil) {
        (self.url, self.sourceApplication, self.annotationData) = (url, sourceApplication, annotationData)
    }

    /// Returns the custom data as a value; `nil` if the request contains no data.
    ///
    /// - Throws: `PrintError` with `jobFailed` if the data has another form.
    public func annotation<Value: Decodable>(as type: Value.Type) throws(PrintError) -> Value? {
        guard let annotationData else { return nil }
        do { return try JSONDecoder().decode(Value.self, from: annotationData) } catch {
            throw PrintError(
                .jobFailed,
                "the annotation of '\(url.lastPathComponent)' is not a \(type); check which program sends it",
                cause: error)
        }
    }

    /// Returns the document with which this program was started; `nil` if no argument is the path or the URL of a
    /// document.
    ///
    /// The source and the annotation come from `environmentVariable`, if the variable belongs to this document. The
    /// function removes the variable, so that programs that this program starts do not inherit the variable.
    public static func fromArguments() -> OpenedDocument? {
        let message = getenv(environmentVariable).map { String(cString: $0) }
        unsetenv(environmentVariable)
        return fromArguments(
            Array(CommandLine.arguments.dropFirst()), message: message,
            folder: FileManager.default.currentDirectoryPath)
    }

    /// - Parameters:
    ///   - message: The value of the environment variable.
    ///   - folder: The folder of relative paths.
    static func fromArguments(_ arguments: [String], message: String?, folder: String) -> OpenedDocument? {
        guard let argument = arguments.first(where: { !$0.isEmpty && !$0.hasPrefix("-") }) else { return nil }
        let document = OpenedDocument(url: url(argument, folder: folder))
        guard let message = message.flatMap(OpenMessage.init(json:)),
            message.url == document.url.absoluteString || URL(string: message.url)?.path == document.url.path
        else { return document }
        return OpenedDocument(
            url: document.url, sourceApplication: message.source,
            annotationData: message.annotation.map { Data($0.utf8) })
    }

    private static func url(_ argument: String, folder: String) -> URL {
        if let colon = argument.firstIndex(of: ":"), colon != argument.startIndex,
            argument[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }),
            let url = URL(string: argument)
        {
            return url
        }
        return URL(filePath: argument.hasPrefix("/") ? argument : "\(folder)/\(argument)")
    }
}

/// The message with which a program asks another program to open a document.
struct OpenMessage: Hashable, Sendable, Codable {
    /// The maximum size of an annotation as JSON, in bytes: the environment contains strings of up to 128 KiB.
    private static let longestAnnotation = 65_536

    var url: String
    var source: String?
    /// The annotation as JSON.
    var annotation: String?

    /// - Throws: `PrintError` with `jobFailed` if the annotation cannot be encoded, or is larger than 64 KiB.
    init(_ url: URL, source: String?, annotation: (any Encodable & Sendable)?) throws(PrintError) {
        (self.url, self.source) = (url.absoluteString, source)
        guard let annotation else { return }
        let data: Data
        do { data = try JSONEncoder().encode(annotation) } catch {
            throw PrintError(
                .jobFailed, "cannot encode the annotation of '\(url.lastPathComponent)' as JSON", cause: error)
        }
        guard data.count <= Self.longestAnnotation else {
            throw PrintError(
                .jobFailed,
                "the annotation of '\(url.lastPathComponent)' has \(data.count) bytes; the maximum is "
                    + "\(Self.longestAnnotation) bytes, so write the data to a file and pass the path")
        }
        self.annotation = String(decoding: data, as: UTF8.self)
    }

    init?(json: String) {
        guard let message = try? JSONDecoder().decode(OpenMessage.self, from: Data(json.utf8)) else { return nil }
        self = message
    }

    /// The value of `OpenedDocument.environmentVariable`.
    var json: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }

    /// The identifier of this program: the name of its desktop entry if the desktop has started the program, otherwise
    /// the name of the program.
    static func ownIdentifier(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        // The variable is inherited, so the process ID tells whether the entry belongs to this process.
        if environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] == "\(getpid())",
            let entry = environment["GIO_LAUNCHED_DESKTOP_FILE"]?.split(separator: "/").last
        {
            return String(entry)
        }
        return CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    }
}
