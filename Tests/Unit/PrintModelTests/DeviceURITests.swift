import PrintModel
import Testing

struct DeviceURITests {
    @Test func `a printsim URI contains the name of a simulated printer`() throws {
        #expect(try DeviceURI("printsim:color-laser") == .simulated(name: "color-laser"))
    }

    @Test(arguments: [
        ("ipp://printer.local/ipp/print", "printer.local", 631, "/ipp/print", false),
        ("IPPS://10.0.0.9:8443/ipp/print?slot=2", "10.0.0.9", 8443, "/ipp/print?slot=2", true),
        ("ipp://[fe80::1]:8631", "fe80::1", 8631, "/", false),
    ])
    func `an ipp or ipps URI contains host, port and path`(
        text: String, host: String, port: Int, path: String, isSecure: Bool
    ) throws {
        guard case .ipp(let device) = try DeviceURI(text) else {
            Issue.record("\(text) is not parsed as an IPP printer")
            return
        }
        #expect((device.host, device.port) == (host, port))
        #expect(device.path == path)
        #expect(device.isSecure == isSecure)
        #expect(try DeviceURI(device.uri) == .ipp(device))
    }

    @Test(arguments: [
        ("cups:office", nil, 631, "office", nil), ("cups:office/draft", nil, 631, "office", "draft"),
        ("cups://printhost/office", "printhost", 631, "office", nil),
        ("cups://printhost:8632/printers/office/draft", "printhost", 8632, "office", "draft"),
    ])
    func `a cups URI contains a queue name, and optionally a host and an instance`(
        text: String, host: String?, port: Int, name: String, instance: String?
    ) throws {
        let queue = DeviceURI.CUPSQueue(host: host, port: port, name: name, instance: instance)
        #expect(try DeviceURI(text) == .cups(queue))
        #expect(try DeviceURI(DeviceURI.cups(queue).description) == .cups(queue))
    }

    @Test func `a folder URI contains an absolute path`() throws {
        #expect(try DeviceURI("folder:/srv/printed pages") == .folder(path: "/srv/printed pages"))
    }

    @Test(arguments: [
        "color-laser", "printsim:", "printsim:../etc", "ipp:///ipp/print", "ipp://printer:0/ipp",
        "ipp://printer:99999/",
        "cups:", "cups://printhost", "cups:a/b/c", "folder:printed", "lpd://printer/queue", "",
    ])
    func `an invalid printer URI is rejected`(text: String) {
        #expect(throws: DeviceURI.Problem.self) { try DeviceURI(text) }
    }

    @Test func `a URI with a password is rejected, and the error does not contain the password`() {
        let problem = #expect(throws: DeviceURI.Problem.self) { try DeviceURI("ipp://anna:secret@printer/ipp") }
        #expect(problem?.description.contains("secret") == false)
    }
}
