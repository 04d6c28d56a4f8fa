// Accounting entries of jobs as IPP attributes, in both directions.

package import IPP
package import PrintModel

extension Operation {
    /// The operation Get-Accounting, which returns the accounting entries of ended jobs.
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15).
    ///
    /// The request attributes are `printer-uri` (the server's URI for all printers), `my-jobs`, `printq-user`,
    /// `printq-since` and `printq-until` (dateTime), `printq-after` and `limit`.
    ///
    /// The response has one group of job attributes per job, in the order in which the jobs ended, and contains at most
    /// 500 entries. To read the next entries, repeat the request with the last `printq-place` as `printq-after`. The
    /// last response is empty.
    package static let printqGetAccounting = Operation(rawValue: 0x5041)
}

extension AccountingEntry {
    /// Sides with content count as `full-color` or `monochrome` in `job-impressions-completed-col`.
    ///
    /// Blank sides count as `blank` (PWG 5100.7 §6.2). `job-impressions-completed` excludes blank sides (RFC 8011
    /// §2.3.4).
    package var attributes: [Attribute] {
        let sides = IPP.Collection([
            Attribute("blank", .integer(Int32(clamping: printed.blanks))),
            Attribute(
                isColor == true ? "full-color" : "monochrome", .integer(Int32(clamping: printed.impressions))),
        ])
        var attributes = [
            Attribute("job-id", .integer(Int32(clamping: jobID))),
            Attribute("job-originating-user-name", .name(user)),
            Attribute("printer-name", .name(printer)),
            Attribute("job-name", .name(title)),
            Attribute("job-state", .enumeration(Int32(state.rawValue))),
            Attribute("date-time-at-creation", .moment(submittedAt)),
            Attribute("date-time-at-completed", .moment(endedAt)),
            Attribute("copies", .integer(Int32(clamping: copies))),
            Attribute("job-media-sheets-completed", .integer(Int32(clamping: printed.sheets))),
            Attribute("job-impressions-completed", .integer(Int32(clamping: printed.impressions))),
            Attribute("job-impressions-completed-col", .collection(sides)),
            // The exact size, because job-k-octets is rounded. The value is text, because an IPP integer cannot hold 2
            // GiB.
            Attribute("printq-job-octets", .name("\(bytes)")),
        ]
        if let isColor { attributes.append(Attribute("print-color-mode", .keyword(isColor ? "color" : "monochrome"))) }
        if let media { attributes.append(Attribute("media", .keyword(media))) }
        return attributes + [Attribute("printq-place", .name(place.description))]
    }

    /// Returns `nil` if the group does not contain an accounting entry.
    package init?(attributes group: AttributeGroup) {
        guard let place = group.string("printq-place").flatMap(Place.init),
            let state = group.integer("job-state").flatMap({ JobState(rawValue: Int($0)) }),
            let submitted = group["date-time-at-creation"]?.timeValue,
            let sides = group["job-impressions-completed-col"]?.first?.collectionValue
        else { return nil }
        func count(_ name: String) -> Int { sides[name]?.first?.intValue.map { max(0, Int($0)) } ?? 0 }
        self.init(
            jobID: place.jobID, user: group.string("job-originating-user-name") ?? "",
            printer: group.string("printer-name") ?? "", title: group.string("job-name") ?? "",
            submittedAt: submitted, endedAt: place.endedAt, state: state,
            copies: Int(group.integer("copies") ?? 1),
            printed: PrintedSides(
                impressions: count("full-color") + count("monochrome"), blanks: count("blank"),
                sheets: Int(group.integer("job-media-sheets-completed") ?? 0)),
            isColor: group.string("print-color-mode").map { $0 == "color" }, media: group.string("media"),
            bytes: group.string("printq-job-octets").flatMap { Int($0) } ?? 0)
    }
}
