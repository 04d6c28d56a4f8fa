// The security of printer URIs.

import IPP

/// The connection security of a printer's URI (`uri-security-supported`, RFC 8011 §5.4.3).
public enum URISecurity: String, Sendable, Hashable, CaseIterable {
    /// No security: `ipp:` (RFC 3510).
    case none
    /// TLS from the first byte: `ipps:` (RFC 7472).
    case tls

    package var scheme: String { self == .tls ? "ipps" : "ipp" }

    /// Returns three attributes with values in the same order: a printer's URIs, the security of each URI, and the
    /// authentication method of each URI (RFC 8011 §5.4.1 to §5.4.3).
    ///
    /// - Parameters:
    ///   - authentication: The keyword of the authentication method, such as `basic`.
    ///   - uri: A function that returns the printer's URI for a scheme.
    static func attributes(
        _ offered: [URISecurity], authentication: String, uri: (String) -> String
    ) -> [Attribute] {
        [
            Attribute("printer-uri-supported", offered.map { .uri(uri($0.scheme)) }),
            Attribute("uri-security-supported", offered.map { .keyword($0.rawValue) }),
            Attribute("uri-authentication-supported", offered.map { _ in .keyword(authentication) }),
        ]
    }
}
