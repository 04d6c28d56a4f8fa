// Sets a printer's credentials and trusts its certificate.

import IPP

extension Spooler {
    /// Stores the credentials for a printer.
    ///
    /// An empty user name deletes the credentials.
    package func logIn(_ user: String, password: String, at printer: String) async throws(SpoolerClientError) {
        var attributes = [Attribute("printq-device-user", .name(user))]
        if !user.isEmpty { attributes.append(Attribute("printq-device-password", .text(password))) }
        try await change(printer: printer, attributes)
    }

    /// Trusts the certificate that the printer currently presents, or accepts that the printer no longer uses TLS.
    package func trustCertificate(of printer: String) async throws(SpoolerClientError) {
        try await change(printer: printer, [Attribute("printq-trust-certificate", .boolean(true))])
    }
}
