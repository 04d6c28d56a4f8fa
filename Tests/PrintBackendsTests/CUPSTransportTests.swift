import IPPClient
import PrintBackends
import PrintTestSupport
import Testing
import TransportTrials

struct CUPSTransportTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: TransportTrial.all) func `it is a transport`(trial: TransportTrial) async throws {
        try await trial.run { [folder] address, limits in
            var bounds = CUPSTransport.Bounds()
            bounds.answer = limits.answer
            bounds.sending = limits.sending
            bounds.answerBytes = limits.answerBytes
            bounds.goAhead = 0.05
            return CUPSTransport(
                to: .init(address, security: .whenAsked),
                access: PrinterAccess(folder: folder.path, printer: "laser", address: address), bounds: bounds)
        }
    }
}
