// What a test page is made of, on its way to the program that draws it.

/// What a test page is to show: `print-test-page` reads it from a file of JSON and writes a PDF.
public struct TestPageOrder: Hashable, Sendable, Codable {
    /// The printer's name in the queue.
    public var printer: String
    /// Its make and model.
    public var makeAndModel: String
    /// Where it is.
    public var deviceURI: String
    /// The paper to draw for.
    public var paper: PrintPaper
    /// Whether it prints in colour.
    public var isColor: Bool
    /// Its resolutions, in dots per inch.
    public var resolutions: [Int]
    /// Who asks for the page.
    public var user: String
    /// When, as people write it.
    public var date: String

    /// An order.
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
