// Reads the provider of OpenID Connect from the settings.

import OpenIDConnect
import PrintModel
import SpoolConfiguration

extension Provider {
    /// Creates the provider of the settings; nil if the settings name no provider, or only a part of it.
    init?(_ settings: SpoolSettings) {
        guard let issuer = settings.openIDIssuer, let address = HTTPSAddress(issuer),
            let audience = settings.openIDAudience, let keys = settings.openIDKeys
        else { return nil }
        let place: KeyPlace =
            if let web = HTTPSAddress(keys) {
                .web(host: web.host, port: web.port, path: web.path)
            } else {
                .file(keys)
            }
        // A numeric host in brackets, because a name such as anna@192.0.2.7 belongs to a client without credentials.
        let host = IPNetwork(address: address.host) == nil ? address.host.lowercased() : "[\(address.host)]"
        self.init(issuer: issuer, audience: audience, keys: place, realm: settings.openIDRealm ?? host)
        algorithms = Set(settings.openIDAlgorithms.compactMap(Algorithm.init))
        (nameClaim, groupsClaim) = (settings.openIDNameClaim, settings.openIDGroupsClaim)
        let (look, submit, manage) = settings.openIDGroups
        groups = [.look: Set(look), .submit: Set(submit), .manage: Set(manage)]
    }

    /// Returns the reason why settings name only a part of a provider; nil if there is no such reason.
    static func problem(of settings: SpoolSettings) -> String? {
        guard settings.openIDIssuer != nil else { return nil }
        let missing = [
            settings.openIDAudience == nil ? "openID.audience" : nil, settings.openIDKeys == nil ? "openID.keys" : nil,
        ].compactMap(\.self)
        return missing.isEmpty ? nil : "\(missing.joined(separator: " and ")) is not set"
    }
}
