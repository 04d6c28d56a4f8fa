import PrintModel
import ServiceDiscovery
import Testing

/// Tests of the published services and of the names of the services.
struct PublicationTableTests {
    private func printer(_ name: String = "Laser", location: String = "", port: Int = 8000) -> PrinterAdvertisement {
        var printer = PrinterAdvertisement(
            name: name, path: "ipp/print/laser", port: port, uuid: "urn:uuid:1",
            capabilities: PrinterCapabilities(
                makeAndModel: "Laser", papers: [], defaultMedia: .a4, formats: [.pdf]))
        printer.location = location
        return printer
    }

    private func registration(_ printer: PrinterAdvertisement, named name: String? = nil) -> PublicationTable.Step {
        .register(key: "laser", name: name ?? printer.name, services: printer.services(host: "pluto.local"))
    }

    @Test func `a printer is published when the Avahi daemon is available, and again after Avahi restarts`() {
        var book = PublicationTable()
        #expect(book.want(printer(), as: "laser") == [])
        #expect(book.disconnected("none") == [.tell(.unavailable(reason: "none"))])
        #expect(book.disconnected("none") == [], "reported once")
        #expect(book.connected(host: "pluto.local") == [registration(printer())])
        #expect(book.established("laser") == [.tell(.published(key: "laser", name: "Laser", isRenamed: false))])
        #expect(book.established("laser") == [])
        #expect(
            book.disconnected("gone") == [.tell(.withdrawn(key: "laser")), .tell(.unavailable(reason: "gone"))])
        #expect(book.connected(host: "pluto.local") == [registration(printer())])
    }

    @Test func `if a service name is in use, a number is appended, and all following registrations keep the new name`()
    {
        var book = PublicationTable()
        _ = book.connected(host: "pluto.local")
        _ = book.want(printer(), as: "laser")
        #expect(book.collided("laser") == [registration(printer(), named: "Laser (2)")])
        #expect(book.collided("laser") == [registration(printer(), named: "Laser (3)")])
        #expect(book.established("laser") == [.tell(.published(key: "laser", name: "Laser (3)", isRenamed: true))])
        _ = book.disconnected("gone")
        #expect(book.connected(host: "pluto.local") == [registration(printer(), named: "Laser (3)")])
        #expect(book.want(printer("Other"), as: "laser") == [registration(printer("Other"))], "a new name is tried")
    }

    @Test func `after a name conflict, a published printer is reported as withdrawn and registered with a new name`() {
        var book = PublicationTable()
        _ = book.connected(host: "pluto.local")
        _ = book.want(printer(), as: "laser")
        _ = book.established("laser")
        #expect(
            book.collided("laser") == [.tell(.withdrawn(key: "laser")), registration(printer(), named: "Laser (2)")])
    }

    @Test func `a changed TXT record is updated under the same name, and a changed port requires a new registration`() {
        var book = PublicationTable()
        _ = book.connected(host: "pluto.local")
        _ = book.want(printer(), as: "laser")
        _ = book.established("laser")
        let moved = printer(location: "Room 3")
        #expect(book.want(printer(), as: "laser") == [])
        #expect(
            book.want(moved, as: "laser") == [
                .update(key: "laser", name: "Laser", services: moved.services(host: "pluto.local"))
            ])
        #expect(book.want(printer(port: 9000), as: "laser") == [registration(printer(port: 9000))])
    }

    @Test func `when a printer is withdrawn, its services are removed from Avahi`() {
        var book = PublicationTable()
        _ = book.connected(host: "pluto.local")
        _ = book.want(printer(), as: "laser")
        _ = book.established("laser")
        #expect(book.drop("laser") == [.remove(key: "laser"), .tell(.withdrawn(key: "laser"))])
        #expect(book.drop("laser") == [])
        #expect(book.collided("laser") == [] && book.established("laser") == [], "late events have no effect")
        #expect(book.connected(host: "pluto.local") == [])
    }

    @Test(arguments: [
        ("Laser", "Laser (2)"), ("Laser (2)", "Laser (3)"), ("Laser (9)", "Laser (10)"),
        ("Laser (A4)", "Laser (A4) (2)"),
        ("Laser (1)", "Laser (1) (2)"), ("Laser(2)", "Laser(2) (2)"), ("(2)", "(2) (2)"), ("", " (2)"),
        (String(repeating: "ü", count: 31), String(repeating: "ü", count: 29) + " (2)"),
    ])
    func `after a name conflict, the service name ends with the next number`(name: String, next: String) {
        #expect(ServiceName.alternative(to: name) == next)
        #expect(next.utf8.count <= 63)
    }

    @Test func `a service name has no control characters and at most 63 bytes`() {
        #expect(ServiceName.fitting("a\tb\u{7F}\r\nc") == "a b   c")
        #expect(ServiceName.fitting(String(repeating: "é", count: 40)) == String(repeating: "é", count: 31))
    }
}
