// Checks that apply to all requests.

package import IPP

extension Message {
    /// Checks the parts of a request that all operations have in common (RFC 8011 §4.1).
    ///
    /// The method checks the version, the operation, the request ID and the order of the groups. The charset and the
    /// language must be the first two attributes, and no group can contain a name twice.
    ///
    /// - Parameter operations: The supported operations.
    /// - Returns: The operation attributes.
    /// - Throws: `IPPFailure` with the status that the standard requires for the first error.
    package func checked(for operations: [Operation]) throws(IPPFailure) -> AttributeGroup {
        guard version.major == 1 || version.major == 2 else {
            throw IPPFailure(.serverErrorVersionNotSupported, "IPP \(version) is not supported; use 1.1 or 2.0")
        }
        guard operations.contains(operation) else {
            throw IPPFailure(.serverErrorOperationNotSupported, "the operation \(operation) is not supported")
        }
        guard requestID > 0 else { throw .badRequest("request-id \(requestID) must be greater than 0") }
        guard let group = groups.first, group.tag == .operation else {
            throw .badRequest("the operation attributes group must come first")
        }
        try checkCharsetAndLanguage(group)
        try checkGroups()
        return group
    }

    private func checkCharsetAndLanguage(_ group: AttributeGroup) throws(IPPFailure) {
        guard group.attributes.count >= 2, group.attributes[0].name == "attributes-charset",
            group.attributes[1].name == "attributes-natural-language",
            case .charset(let charset)? = group.attributes[0].first,
            case .naturalLanguage? = group.attributes[1].first
        else {
            throw .badRequest("attributes-charset and attributes-natural-language must come first, in this order")
        }
        guard ["utf-8", "us-ascii"].contains(charset.lowercased()) else {
            throw IPPFailure(
                .clientErrorCharsetNotSupported, "the charset '\(charset)' is not supported; use utf-8",
                unsupported: [group.attributes[0]])
        }
    }

    /// Checks that the groups are in the order of their tags, and that only the first group contains operation
    /// attributes.
    ///
    /// Also checks that the names in each group are unique (RFC 8011 §4.1.3).
    private func checkGroups() throws(IPPFailure) {
        for (first, second) in zip(groups, groups.dropFirst())
        where second.tag == .operation || second.tag.rawValue < first.tag.rawValue {
            throw .badRequest("the attribute groups are in the wrong order")
        }
        for group in groups {
            var names: Set<String> = []
            for attribute in group.attributes where !names.insert(attribute.name).inserted {
                throw .badRequest("the attribute '\(attribute.name)' occurs twice in a group")
            }
        }
    }
}
