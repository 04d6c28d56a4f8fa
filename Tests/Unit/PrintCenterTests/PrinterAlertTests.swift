import PrintCenter
import SpoolerClient
import Testing

/// Tests of the alerts and the phase of a printer.
struct PrinterAlertTests {
    private func alerts(_ reasons: String..., isStopped: Bool = true, words: [String] = []) -> [String] {
        PrinterAlert.all(reasons: reasons, isStopped: isStopped, descriptions: words).map {
            "\($0.severity.rawValue) \($0.code): \($0.text)" + ($0.remedy.map { " [\($0)]" } ?? "")
        }
    }

    @Test func `state reasons are converted to alerts with severity, text and remedy, and errors come first`() {
        #expect(
            alerts("toner-low-warning", "media-jam-error", "offline-report") == [
                "error media-jam: Paper jam [Clear Jam]", "warning toner-low: Toner low [Replace Toner]",
                "report offline: Does not respond",
            ])
    }

    @Test func `a state reason without a severity is an error if the printer is stopped, otherwise a warning`() {
        #expect(alerts("cover-open") == ["error cover-open: Cover open [Close Cover]"])
        #expect(alerts("media-low", isStopped: false) == ["warning media-low: Paper low [Load…]"])
    }

    @Test func `the state reasons 'none', 'paused', 'moving-to-paused' and 'connecting-to-device' cause no alert`() {
        #expect(alerts("none", "paused", "moving-to-paused", "connecting-to-device") == [])
    }

    @Test func `an unknown state reason becomes readable text, and a repeated state reason causes one alert`() {
        #expect(alerts("bander-jam-error", "bander-jam-error") == ["error bander-jam: Bander jam"])
    }

    @Test func `a stopped printer without state reasons has an alert with the text of printer-alert-description`() {
        #expect(alerts("none", words: ["", "Refill glue"]) == ["error other: Refill glue"])
        #expect(alerts("none", isStopped: false, words: ["Refill glue"]) == [])
    }

    @Test(arguments: [
        (["paused", "media-jam-error"], true, false, true, false, PrinterPhase.paused),
        (["media-jam-error"], true, false, true, false, .attention),
        (["none"], true, false, true, false, .stopped), (["offline-report"], false, false, true, false, .offline),
        (["shutdown"], true, false, true, false, .offline),
        (["toner-low-warning"], false, true, true, false, .printing),
        ([], false, false, true, true, .preparing), ([], false, false, false, false, .refusing),
        ([], false, false, true, false, .ready),
    ])
    func `the phase of a printer in the print center depends on the printer's state and state reasons`(
        reasons: [String], isStopped: Bool, isProcessing: Bool, isAccepting: Bool, isPreparing: Bool,
        phase: PrinterPhase
    ) {
        #expect(
            PrinterPhase.of(
                reasons: reasons, isStopped: isStopped, isProcessing: isProcessing, isAccepting: isAccepting,
                isPreparing: isPreparing) == phase)
    }
}
