import PrintTestSupport
import Testing

/// Helpers that check messages about jobs and printers that require an action by the user.
extension TestSpooler {
    /// Returns the explanation of why a job is waiting.
    func why(_ id: Int) async throws -> String { try await printq("why", "\(id)").output }

    /// Checks that every command that shows the printer reports the stopped state and its reason.
    func expectStopped(_ printer: String, _ words: String, _ reason: String) async throws {
        // printd caches the state of a printer for a short time, and sends no event when the cache expires.
        try await PrintTestSupport.eventually("the table of printers shows the required action") {
            try await printq("printers").lines.contains {
                $0.split(separator: " ").starts(with: [printer[...], "stopped"]) && $0.contains(words)
            }
        }
        let json = try await printq("printers", "--json").output
        #expect(json.contains(reason), "\(json)")
        let doctor = try await printq("doctor")
        #expect(doctor.lines.contains { $0.contains("\(printer) is stopped: ") && $0.contains(words) }, "\(doctor)")
        let lpstat = try await run("lpstat", ["-h", socket, "-p", printer])
        #expect(lpstat.output.contains("disabled") && lpstat.output.contains(words), "\(lpstat)")
    }
}
