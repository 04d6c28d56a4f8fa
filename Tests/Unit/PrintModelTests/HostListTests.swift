import PrintModel
import Testing

/// Tests of the reasons why no host drives a printer.
struct HostListTests {
    private func host(_ name: String, isAlive: Bool = true, isDraining: Bool = false) -> SpoolHost {
        SpoolHost(name: name, version: "1", startedAt: 0, lastSeenAt: 5, isAlive: isAlive, isDraining: isDraining)
    }

    private func driver(_ placement: PrinterPlacement, _ hosts: SpoolHost...) -> PrinterDriver {
        HostList(hosts: hosts, placements: [placement]).driver(of: "laser")
    }

    @Test func `the driver of a printer is the host with the lease`() {
        let driver = driver(PrinterPlacement(printer: "laser", driver: "a"), host("a"), host("b"))
        #expect(driver == .host("a") && driver.hostName == "a")
        #expect(driver.explanation(of: "laser") == "Host a drives laser.")
    }

    @Test func `if no host drives a printer, and a host can take the printer, the driver is '.changing'`() {
        let placement = PrinterPlacement(printer: "laser")
        #expect(driver(placement, host("a", isAlive: false), host("b")) == .changing)
        #expect(HostList(hosts: [host("a")]).driver(of: "laser") == .changing, "a printer that was just added")
    }

    @Test func `if all hosts that can reach a printer are lost, the explanation names the hosts`() {
        let two = PrinterPlacement(printer: "laser", hosts: ["a", "b"])
        let lost = driver(two, host("a", isAlive: false), host("b", isAlive: false), host("c"))
        #expect(lost == .noHost(["a", "b"]))
        #expect(
            lost.explanation(of: "laser", waiting: "job 3 waits")
                == "No host that can reach laser is alive: job 3 waits until one of the hosts a, b starts.")
        let one = PrinterPlacement(printer: "laser", hosts: ["a"])
        #expect(
            driver(one, host("a", isAlive: false)).explanation(of: "laser")
                == "No host that can reach laser is alive: its jobs wait until host a starts.")
    }

    @Test func `if all hosts of a printer are draining or lost, the explanation names the command to resume a host`() {
        let driver = driver(
            PrinterPlacement(printer: "laser"), host("a", isDraining: true), host("b", isAlive: false))
        #expect(driver == .draining(["a"]))
        #expect(
            driver.explanation(of: "laser")
                == "No host drives laser, because a is draining: its jobs wait; "
                + "'printq hosts resume a' ends the draining.")
    }

    @Test func `the state of a host without contact is 'stopped' after an orderly stop, and otherwise 'lost'`() {
        #expect(host("a").state == .alive)
        #expect(host("a", isDraining: true).state == .draining)
        var silent = host("a", isAlive: false, isDraining: true)
        #expect(silent.state == .lost)
        silent.lastSeenAt = nil
        #expect(silent.state == .stopped)
    }

    @Test func `a host queries a printer only if the host drives the printer or can reach the printer`() {
        let list = HostList(
            hosts: [host("a", isAlive: false), host("b")],
            placements: [
                PrinterPlacement(printer: "laser", hosts: ["a"]), PrinterPlacement(printer: "photo"),
                PrinterPlacement(printer: "label", hosts: ["a"], driver: "b"),
            ])
        #expect(list.canReach("laser", from: "a") && !list.canReach("laser", from: "b"))
        #expect(list.canReach("photo", from: "b"), "every host can reach the printer")
        #expect(list.canReach("label", from: "b"), "the host still drives the printer")
        #expect(list.canReach("new", from: "b"), "a printer that was just added")
    }
}
