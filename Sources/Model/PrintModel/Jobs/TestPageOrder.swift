// Defines the input of the program that draws a test page.

/// A request for a test page, with the information that the test page shows.
///
/// `print-test-page` reads the request from a JSON file and writes a PDF.
public struct TestPageOrder: Hashable, Sendable, Codable {
    package var printer: String
    package var makeAndModel: String
    package var deviceURI: String
    package var paper: PrintPaper
    package var isColor: Bool
    /// The printer's resolutions, in dots per inch.
    package var resolutions: [Int]
    package var user: String
    /// The date as text for users.
    package var date: String

    package init(
        printer: String, makeAndModel: String, deviceURI: String, paper: PrintPaper, isColor: Bool, resolutions: [Int],
        user: String, date: String
    ) {
        (self.printer, self.makeAndModel, self.deviceURI, self.paper) = (printer, makeAndModel, deviceURI, paper)
        (self.isColor, self.resolutions, self.user, self.date) = (isColor, resolutions, user, date)
    }
}
