import PrintTestSupport
import Testing

/// What the programs say of jobs and printers that wait for a person.
extension TestSpooler {
    /// Why a job waits.
    func why(_ id: Int) async throws -> String { try await printq("why", "\(id)").output }

    /// Expects everything that tells of a printer to say that it waits for a person, and what for.
    func expectStopped(_ printer: String, _ words: String, _ reason: String) async throws {
        // What a printer said a moment ago is not asked again, and nothing tells when it would be.
        try await PrintTestSupport.eventually("the table of printers says what is to be done") {
            try await printq("printers").lines.contains {
                $0.split(separator: " ").starts(with: [printer[...], "stopped"]) && $0.contains(words)
            }
        }
        let json = try await printq("printers", "--json").output
        #expect(json.contains(reason), "\(json)")
        let doctor = try await printq("doctor")
        #expect(doctor.lines.contains { $0.contains("\(printer) has stopped: ") && $0.contains(words) }, "\(doctor)")
        let lpstat = try await run("lpstat", ["-h", socket, "-p", printer])
        #expect(lpstat.output.contains("disabled") && lpstat.output.contains(words), "\(lpstat)")
    }
}
