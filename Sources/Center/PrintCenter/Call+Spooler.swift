// Reads facts about the spooler for a request.

import Glibc
import IPP
package import SpoolerClient

extension Call {
    /// Returns the number of the newest event in the spool.
    package func latestEvent() async throws(SpoolerClientError) -> Int {
        if let latestEvent = center.ports.latestEvent { return await latestEvent() }
        return Int(try await spooler.printer(nil, ["printq-event-number"]).integer("printq-event-number") ?? 0)
    }
}

extension PrintCenter {
    var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
