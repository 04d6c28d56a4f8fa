// Translates results of `printq doctor` to and from IPP attributes.

package import IPP
package import PrintModel

extension HealthFinding {
    package static let linesName = "printq-doctor"
    package static let checksName = "printq-doctor-checks"

    /// Returns the check results as two attributes: text lines for older clients, and collections for newer clients.
    package static func attributes(_ findings: [HealthFinding]) -> [Attribute] {
        guard !findings.isEmpty else { return [] }
        return [
            Attribute(linesName, findings.map { .text($0.line.prefixOfUTF8(1023)) }),
            Attribute(checksName, findings.map { .collection($0.collection) }),
        ]
    }

    private var collection: Collection {
        var members = [
            Attribute("group", .keyword(group.rawValue)), Attribute("check", .keyword(check)),
            Attribute("state", .keyword(state.rawValue)), Attribute("message", .text(message.prefixOfUTF8(1023))),
        ]
        if let advice { members.append(Attribute("advice", .text(advice.prefixOfUTF8(1023)))) }
        if let printer { members.append(Attribute("printer-name", .name(printer))) }
        return Collection(members)
    }

    /// Reads the check results from the attributes that `printd` returns.
    ///
    /// Earlier versions of `printd` send the results only as lines of text (`printq-doctor`).
    package static func read(_ attributes: AttributeGroup) -> [HealthFinding] {
        if let checks = attributes[checksName] {
            return checks.values.compactMap { $0.collectionValue.flatMap(HealthFinding.init) }
        }
        return attributes.strings(linesName).map(HealthFinding.init(line:))
    }

    /// Returns `nil` if a required member is missing.
    private init?(_ collection: Collection) {
        guard let group = collection.string("group"), let check = collection.string("check"),
            let message = collection.string("message")
        else { return nil }
        let state = collection.string("state").flatMap(State.init(rawValue:))
        self.init(
            Group(rawValue: group), check, state ?? .warning, message, advice: collection.string("advice"),
            printer: collection.string("printer-name"))
    }
}
