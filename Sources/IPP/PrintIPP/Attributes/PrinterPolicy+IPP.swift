// The policies of printers as IPP attributes, in both directions.

package import IPP
package import PrintModel

extension PolicyList {
    /// The beginning of the names of the attributes with the list; the endings are `-allowed` and `-denied`.
    ///
    /// The users who may print have the names of CUPS, `requesting-user-name-allowed` and `-denied`. The other names
    /// are printq's, such as `printq-look-users-allowed`.
    private var attributeStem: String { self == .submitters ? "requesting-user-name" : "printq-\(keyword)" }

    /// The names of the attributes of all lists.
    package static let attributeNames = allCases.flatMap {
        ["\($0.attributeStem)-allowed", "\($0.attributeStem)-denied"]
    }

    /// Returns the list that an attribute contains, and whether the attribute contains the denied names; nil for
    /// another attribute.
    static func named(_ attribute: String) -> (list: PolicyList, isDenying: Bool)? { listsByName[attribute] }

    private static let listsByName = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { list in
            [("\(list.attributeStem)-allowed", (list, false)), ("\(list.attributeStem)-denied", (list, true))]
        })

    /// Returns the attribute that sets the list.
    package func attribute(_ names: AccessList) -> Attribute {
        func attribute(_ ending: String, _ names: [String]) -> Attribute {
            Attribute("\(attributeStem)-\(ending)", names.map { .name($0) })
        }
        // A request without names would change nothing.
        if names.admitsEverybody { return attribute("allowed", ["all"]) }
        return switch names {
        case .allowed(let names): attribute("allowed", names.isEmpty ? ["none"] : names)
        case .denied(let names): attribute("denied", names)
        }
    }
}

extension PrinterPolicy {
    /// The lists that differ from those of a printer for which nothing is set.
    package var attributes: [Attribute] {
        PolicyList.allCases.compactMap { list in
            self[list].isSame(as: list.standard) ? nil : list.attribute(self[list])
        }
    }

    /// Reads the policy from the attributes of a printer.
    package init(_ group: AttributeGroup) {
        self.init()
        for attribute in group.attributes {
            guard let (list, isDenying) = PolicyList.named(attribute.name) else { continue }
            let names = attribute.values.compactMap(\.stringValue)
            self[list] = isDenying ? AccessList(denying: names) : AccessList(allowing: names)
        }
    }
}
