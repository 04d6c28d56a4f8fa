// The owner name of jobs from the network whose client has no credentials.

import Glibc

/// The owner name of the jobs of a client on the network without credentials, such as `anna@192.0.2.7`.
///
///     GuestName(claimed: "anna", address: "192.0.2.7").text               // "anna@192.0.2.7"
///     GuestName.address(in: "anna@192.0.2.7")                             // "192.0.2.7"
///     GuestName.address(in: "anna@EXAMPLE.COM")                           // nil
///
/// A client can claim any name. The address, which the client cannot choose, separates its jobs from the jobs of other
/// clients and of users with the same name.
package struct GuestName: Hashable, Sendable {
    /// The name that the client claims; nil if the client claims no name.
    package var claimed: String?
    /// The numeric IP address of the client, without a zone.
    package var address: String

    package init(claimed: String?, address: String) {
        self.claimed = claimed
        let numeric = String(address.prefix { $0 != "%" })
        self.address = numeric.hasPrefix("::ffff:") && numeric.contains(".") ? String(numeric.dropFirst(7)) : numeric
    }

    /// The name as the owner of jobs, at most 255 bytes (IPP `name`).
    package var text: String {
        let ending = "@\(address)"
        return (claimed ?? "anonymous").prefixOfUTF8(255 - ending.utf8.count) + ending
    }

    /// Returns the address of the client if `owner` is the name of a guest, otherwise nil.
    package static func address(in owner: String) -> String? {
        guard let separator = owner.lastIndex(of: "@") else { return nil }
        let address = String(owner[owner.index(after: separator)...])
        var bytes = in6_addr()
        return inet_pton(AF_INET, address, &bytes) == 1 || inet_pton(AF_INET6, address, &bytes) == 1 ? address : nil
    }

    /// Returns the name whose limits apply to an owner: the address of a guest, so that other names do not give a
    /// client more, and the owner itself otherwise.
    package static func limited(_ owner: String) -> String { address(in: owner).map { "@\($0)" } ?? owner }
}
