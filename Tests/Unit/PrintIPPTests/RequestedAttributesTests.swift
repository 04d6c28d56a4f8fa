// Tests the selection of the attributes that a client receives.

import IPP
import PrintIPP
import Testing

struct RequestedAttributesTests {
    @Test func `the requested attribute 'all' selects every attribute except media-col-database`() {
        for all in [RequestedAttributes.all, RequestedAttributes([]), RequestedAttributes(["all"])] {
            #expect(all.wants("media-supported", in: ["job-template"]))
            #expect(!all.wants("media-col-database", in: ["job-template"]))
            #expect(!all.names("media-supported"))
        }
    }

    @Test func `media-col-database is returned only if the request names the attribute`() {
        #expect(!RequestedAttributes(["job-template"]).wants("media-col-database", in: ["job-template"]))
        let both = RequestedAttributes(["all", "media-col-database"])
        #expect(both.wants("media-col-database", in: ["job-template"]))
        #expect(both.wants("printer-name", in: ["printer-description"]))
    }

    @Test func `a group name selects the attributes of the group, and an attribute name selects only that attribute`() {
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

    @Test func `a client can request the description attributes and the template attributes of a printer separately`()
        async
    {
        let description = await names(["printer-description"])
        #expect(description.isSuperset(of: ["printer-name", "color-supported", "pages-per-minute"]))
        #expect(description.isDisjoint(with: ["media-supported", "sides-default", "number-up-supported"]))
        let template = await names(["job-template"])
        #expect(template.isSuperset(of: ["media-supported", "sides-default", "number-up-supported"]))
        #expect(template.isDisjoint(with: ["printer-name", "color-supported", "media-col-database"]))
    }

    @Test func `a request without requested-attributes returns all attributes except media-col-database`() async {
        let all = await names([])
        #expect(all.isSuperset(of: ["printer-name", "media-supported"]))
        #expect(!all.contains("media-col-database"))
        #expect(await names(["media-col-database", "printer-name"]) == ["media-col-database", "printer-name"])
        #expect(await names(["no-such-thing"]).isEmpty)
    }
}
