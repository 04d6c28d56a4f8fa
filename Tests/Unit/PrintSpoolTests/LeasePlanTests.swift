import Testing

@testable import PrintSpool

/// Tests of the decision which printers a host drives.
struct LeasePlanTests {
    private typealias Host = LeaseSituation.Host
    private typealias Printer = LeaseSituation.Printer

    private func host(_ name: String, isAlive: Bool = true, isDraining: Bool = false) -> Host {
        Host(name: name, isAlive: isAlive, isDraining: isDraining)
    }

    /// A printer whose lease the process `DRIVER-1` on the host `driver` holds.
    private func printer(_ name: String, drivenBy driver: String? = nil, hasEnded: Bool = false) -> Printer {
        Printer(name: name, lease: driver.map { .init(host: $0, incarnation: "\($0)-1", hasEnded: hasEnded) })
    }

    private func plan(_ hosts: [Host], _ printers: [Printer], of host: String = "a", run: Int = 1) -> LeasePlan {
        LeasePlan(for: host, incarnation: "\(host)-\(run)", in: LeaseSituation(hosts: hosts, printers: printers))
    }

    @Test func `the only host takes all printers, and then renews their leases`() {
        #expect(plan([host("a")], [printer("x"), printer("y")]).acquire == ["x", "y"])
        let later = plan([host("a")], [printer("x", drivenBy: "a"), printer("y", drivenBy: "a", hasEnded: true)])
        #expect(later.renew == ["x", "y"] && later.release.isEmpty && later.acquire.isEmpty)
    }

    @Test func `a host takes the printer of a second host only after the lease of the second host has ended`() {
        let hosts = [host("a"), host("b", isAlive: false)]
        #expect(plan(hosts, [printer("x", drivenBy: "b")]).acquire.isEmpty)
        #expect(plan(hosts, [printer("x", drivenBy: "b", hasEnded: true)]).acquire == ["x"])
    }

    @Test func `a restarted process immediately takes the printers of the earlier process on the same host`() {
        #expect(plan([host("a")], [printer("x", drivenBy: "a")], run: 2).acquire == ["x"])
    }

    @Test func `two hosts divide the printers evenly, and a printer that is printing stays with its host`() {
        let hosts = [host("a"), host("b")]
        var printers = ["w", "x", "y", "z"].map { printer($0, drivenBy: "a") }
        let first = plan(hosts, printers)
        #expect(first.renew == ["w", "x"] && first.release == ["y", "z"])
        printers[2].isPrinting = true
        let printing = plan(hosts, printers)
        #expect(printing.renew == ["w", "x", "y"] && printing.release == ["z"])
        let free = ["w", "x", "y", "z", "v"].map { printer($0) }
        #expect(plan(hosts, free).acquire == ["v", "w", "x"], "the shares are rounded up, so no printer remains")
        #expect(plan(hosts, free, of: "b").acquire == ["v", "w", "x"])
    }

    @Test func `a draining host finishes its jobs, releases its printers and takes no printers`() {
        let hosts = [host("a", isDraining: true), host("b")]
        var busy = printer("x", drivenBy: "a")
        busy.isPrinting = true
        let plan = plan(hosts, [busy, printer("y", drivenBy: "a"), printer("z")])
        #expect(plan.renew == ["x"] && plan.release == ["y"] && plan.acquire.isEmpty)
    }

    @Test
    func
        `a printer moves to its preferred host, and another host drives the printer while that host is not alive`()
    {
        var moved = printer("x", drivenBy: "a")
        moved.preferredHost = "b"
        #expect(plan([host("a"), host("b")], [moved]).release == ["x"])
        #expect(plan([host("a"), host("b", isAlive: false)], [moved]).renew == ["x"])
        moved.lease = nil
        #expect(plan([host("a"), host("b")], [moved]).acquire.isEmpty)
        #expect(plan([host("a"), host("b")], [moved], of: "b").acquire == ["x"])
    }

    @Test func `a host takes a printer only if the host can reach the printer`() {
        var local = printer("x")
        local.hosts = ["b"]
        let hosts = [host("a"), host("b"), host("c")]
        #expect(plan(hosts, [local]).acquire.isEmpty)
        #expect(plan(hosts, [local], of: "b").acquire == ["x"])
        // Five printers that two of three hosts can reach: the two hosts together take all of them.
        let five = ["p", "q", "r", "s", "t"].map { name in
            var printer = printer(name)
            printer.hosts = ["a", "b"]
            return printer
        }
        #expect(plan(hosts, five).acquire.count == 3)
        #expect(plan(hosts, five, of: "c").acquire.isEmpty)
    }
}
