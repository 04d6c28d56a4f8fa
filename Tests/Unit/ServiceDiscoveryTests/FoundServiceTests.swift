import PrintModel
import Testing

@testable import ServiceDiscovery

/// Tests of the conversion of a discovered service to a device.
struct FoundServiceTests {
    private func service(_ entries: [String], type: String = "_ipp._tcp", host: String = "acme.local", port: Int = 631)
        -> FoundService
    {
        FoundService(name: "Acme in the attic", type: type, host: host, port: port, entries: entries)
    }

    @Test func `a TXT record of the Bonjour Printing Specification is converted to a device`() {
        let record = [
            "txtvers=1", "rp=ipp/print", "ty=Acme Laser 1", "note=Attic", "usb_MFG=Acme", "usb_MDL=Laser 1",
            "pdl=application/pdf,image/urf",
        ]
        #expect(
            service(record).device
                == FoundDevice(
                    uri: "ipp://acme.local/ipp/print", info: "Acme in the attic", makeAndModel: "Acme Laser 1",
                    deviceID: "MFG:Acme;MDL:Laser 1;CMD:application/pdf,image/urf;", location: "Attic"))
        #expect(service(record, type: "_ipps._tcp", port: 8443).device?.uri == "ipps://acme.local:8443/ipp/print")
    }

    @Test func `missing keys of a TXT record have default values, and keys are case-insensitive`() {
        #expect(service([]).device?.uri == "ipp://acme.local/ipp/print")
        #expect(service(["RP=/printers/a b"]).device?.uri == "ipp://acme.local/printers/a%20b")
        #expect(service(["product=(Acme Laser)"]).device?.makeAndModel == "Acme Laser")
        #expect(service([], host: "fd00::1").device?.uri == "ipp://[fd00::1]/ipp/print")
    }

    @Test func `a TXT record cannot change the host, and a service without a valid host or port is not a device`() {
        #expect(service(["rp=x?y#z@h"]).device?.uri == "ipp://acme.local/x%3Fy%23z@h")
        #expect(service([], host: "user:password@evil").device == nil)
        #expect(service([], host: "").device == nil)
        #expect(service([], port: 0).device == nil)
        #expect(service(["rp=" + String(repeating: "a", count: 600)]).device == nil)
    }
}
