// The entries of the audit log as IPP attributes, in both directions.

package import IPP
package import PrintModel

extension AuditEntry {
    /// The attributes of the entry, for a group of the response to Get-Audit.
    package var attributes: [Attribute] {
        var attributes = [
            Attribute("printq-audit-time", .moment(time)), Attribute("printq-audit-user", .name(user)),
            Attribute("printq-audit-proof", .text(proof)), Attribute("printq-audit-operation", .text(operation)),
            Attribute("printq-audit-status", .text(status)),
        ]
        if let actsFor { attributes.append(Attribute("printq-audit-acts-for", .name(actsFor))) }
        if let address { attributes.append(Attribute("printq-audit-address", .text(address))) }
        if let printer { attributes.append(Attribute("printer-name", .name(printer))) }
        if let job { attributes.append(Attribute("job-id", .integer(Int32(clamping: job)))) }
        return attributes
    }

    /// Creates an entry from the attributes of a group.
    package init(attributes group: AttributeGroup) {
        self.init(
            time: group["printq-audit-time"]?.timeValue ?? 0, user: group.string("printq-audit-user") ?? "",
            actsFor: group.string("printq-audit-acts-for"), proof: .none,
            address: group.string("printq-audit-address"), operation: group.string("printq-audit-operation") ?? "",
            printer: group.string("printer-name"), job: group.integer("job-id").map(Int.init),
            status: group.string("printq-audit-status") ?? "")
        proof = group.string("printq-audit-proof") ?? ""
    }
}
