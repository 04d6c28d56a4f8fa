// Whether a printer is spoken to plainly or under TLS.

import IPP

/// How connections to a printer's URI are secured (`uri-security-supported`, RFC 8011 §5.4.3).
public enum URISecurity: String, Sendable, Hashable, CaseIterable {
    /// Not at all: `ipp:` (RFC 3510).
    case none
    /// By TLS, from the first byte on: `ipps:` (RFC 7472).
    case tls

    /// The scheme of the URI.
    public var scheme: String { self == .tls ? "ipps" : "ipp" }

    /// The lists of a printer's URIs, of their security, and of who is believed there: they are parallel (RFC 8011
    /// §5.4.1 to §5.4.3).
    ///
    /// - Parameter uri: the printer's URI for a scheme.
    static func attributes(_ offered: [URISecurity], uri: (String) -> String) -> [Attribute] {
        [
            Attribute("printer-uri-supported", offered.map { .uri(uri($0.scheme)) }),
            Attribute("uri-security-supported", offered.map { .keyword($0.rawValue) }),
            Attribute("uri-authentication-supported", offered.map { _ in .keyword("requesting-user-name") }),
        ]
    }
}
