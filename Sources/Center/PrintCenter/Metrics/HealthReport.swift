// The health of a server, for monitors.

import SpoolerClient

package struct HealthReport: Hashable, Sendable {
    /// The reasons why the server cannot print; empty if the server can print.
    package var reasons: [String]

    package init(reasons: [String] = []) { self.reasons = reasons }

    func json(service: String, version: String) -> JSONText {
        .object([
            ("status", .string(reasons.isEmpty ? "ok" : "failing")), ("reasons", .strings(reasons)),
            ("service", .string(service)), ("version", .string(version)),
        ])
    }
}
