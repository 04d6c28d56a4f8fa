// Defines the input of the program that draws a test page.

/// A request for a test page, with the information that the test page shows.
///
/// `print-test-page` reads the request from a JSON file and writes a PDF.
public struct TestPageOrder: Hashable, Sendable, Codable {
    /// The printer's name in the queue.
    public var printer: String
    /// The printer's make and model.
    public var makeAndModel: String
    /// The printer's device URI.
    public var deviceURI: String
    /// The paper of the test page.
    public var paper: PrintPaper
    /// Whether the printer supports color.
    public var isColor: Bool
    /// The printer's resolutions, in dots per inch.
    public var resolutions: [Int]
    /// The user who requested the test page.
    public var user: String
    /// The date as text for users.
    public var date: String

    /// Creates a request for a test page.
    public init(
        printer: String, makeAndModel: String, deviceURI: String, paper: PrintPaper, isColor: Bool, resolutions: [Int],
        user: String, date: String
    ) {
        self.printer = printer
        self.makeAndModel = makeAndModel
        self.deviceURI = deviceURI
        self.paper = paper
        self.isColor = isColor
        self.resolutions = resolutions
        self.user = user
        self.date = date
    }
}
