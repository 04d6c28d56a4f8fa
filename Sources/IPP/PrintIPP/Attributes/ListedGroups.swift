// Keeps the attributes of a printer for lists.

import IPP
import Synchronization

/// The attribute groups of one description of a printer, for the kinds of requests that lists were made for.
///
/// Clients request lists often, and most clients request the same attributes.
package final class ListedGroups: Sendable {
    struct Listed: Sendable {
        var group: AttributeGroup
        var encoded: [UInt8]
    }

    private let kept = Mutex<[(kind: String, listed: Listed)]>([])

    /// The maximum number of kinds of requests.
    private static let mostKinds = 4

    /// Creates an empty collection, for a printer that was just described.
    package init() {}

    /// The group for a kind of requests; nil if no group is stored.
    ///
    /// A new kind replaces the oldest kind when the collection is full.
    subscript(kind: String) -> Listed? {
        get { kept.withLock { $0.first { $0.kind == kind }?.listed } }
        set {
            kept.withLock { kept in
                kept.removeAll { $0.kind == kind }
                if let newValue { kept.append((kind, newValue)) }
                if kept.count > Self.mostKinds { kept.removeFirst() }
            }
        }
    }
}
