// Which attributes a client gets.

import IPP
import PrintIPP
import Testing

struct RequestedAttributesTests {
    @Test func `all is everything but what costs much`() {
        for all in [RequestedAttributes.all, RequestedAttributes([]), RequestedAttributes(["all"])] {
            #expect(all.wants("media-supported", in: ["job-template"]))
            #expect(!all.wants("media-col-database", in: ["job-template"]))
            #expect(!all.names("media-supported"))
        }
    }

    @Test func `media-col-database comes only by its name`() {
        #expect(!RequestedAttributes(["job-template"]).wants("media-col-database", in: ["job-template"]))
        let both = RequestedAttributes(["all", "media-col-database"])
        #expect(both.wants("media-col-database", in: ["job-template"]))
        #expect(both.wants("printer-name", in: ["printer-description"]))
    }

    @Test func `a group is what is in it, a name only itself`() {
        let wanted = RequestedAttributes(["printer-description", "sides-supported"])
        #expect(wanted.wants("printer-name", in: ["printer-description"]))
        #expect(wanted.wants("sides-supported", in: ["job-template"]))
        #expect(!wanted.wants("media-supported", in: ["job-template"]))
    }

    private func names(_ keywords: [String]) async -> Set<String> {
        let asked = keywords.isEmpty ? [] : [Attribute("requested-attributes", keywords.map { .keyword($0) })]
        let answer = await ScriptedService().ask(.getPrinterAttributes, "ipp://localhost/printers/office", asked)
        return Set(answer[.printer]?.attributes.map(\.name) ?? [])
    }

    @Test func `a printer's description and its job template come apart`() async {
        let description = await names(["printer-description"])
        #expect(description.isSuperset(of: ["printer-name", "color-supported", "pages-per-minute"]))
        #expect(description.isDisjoint(with: ["media-supported", "sides-default", "number-up-supported"]))
        let template = await names(["job-template"])
        #expect(template.isSuperset(of: ["media-supported", "sides-default", "number-up-supported"]))
        #expect(template.isDisjoint(with: ["printer-name", "color-supported", "media-col-database"]))
    }

    @Test func `asked for nothing, a printer says all but its database`() async {
        let all = await names([])
        #expect(all.isSuperset(of: ["printer-name", "media-supported"]))
        #expect(!all.contains("media-col-database"))
        #expect(await names(["media-col-database", "printer-name"]) == ["media-col-database", "printer-name"])
        #expect(await names(["no-such-thing"]).isEmpty)
    }
}
