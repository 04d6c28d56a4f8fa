// Who the spooler is at a printer, and whether it trusts it.

import IPP

extension Spooler {
    /// Has printd say that it is this user at a printer; without a name it says no more who it is.
    package func logIn(_ user: String, password: String, at printer: String) async throws(SpoolerClientError) {
        var attributes = [Attribute("printq-device-user", .name(user))]
        if !user.isEmpty { attributes.append(Attribute("printq-device-password", .text(password))) }
        try await change(printer: printer, attributes)
    }

    /// Has printd accept the certificate that a printer shows now.
    package func trustCertificate(of printer: String) async throws(SpoolerClientError) {
        try await change(printer: printer, [Attribute("printq-trust-certificate", .boolean(true))])
    }
}
