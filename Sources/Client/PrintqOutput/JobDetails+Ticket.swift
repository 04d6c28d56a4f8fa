// Reads the job ticket from a job's attributes.

import IPP
import PrintIPP
import PrintModel

extension JobDetails {
    /// Returns the print options that the attributes of a job contain.
    static func ticket(of group: AttributeGroup) -> JobTicket {
        let names = Set(PrintOption.all.map(\.name) + ["media-col"])
        return JobTicket.read(group.attributes.filter { names.contains($0.name) }, at: 0).ticket
    }
}
