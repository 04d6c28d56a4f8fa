import PrintModel
import Testing

@testable import PrintServer
@testable import PrintSpool

/// Tests of the checks of a shared queue.
struct HostHealthTests {
    private func server(
        difference: Double = 0.01, standbys: String = "", connected: Int? = 0, commitsAreDurable: Bool = true
    ) -> DatabaseServer {
        DatabaseServer(
            version: "15.18", clockDifference: difference, roundTrip: 0.002, synchronousStandbys: standbys,
            connectedSynchronousStandbys: connected, commitsAreDurable: commitsAreDurable)
    }

    private func lines(_ server: DatabaseServer) -> [String] { HostHealth.findings(server).map(\.line) }

    @Test func `a database server without a standby is reported as ok, and a note mentions the risk of a failover`() {
        #expect(
            lines(server()) == [
                "ok: the database server is PostgreSQL 15.18, and responded in 2 ms",
                "ok: the clocks of this host and of the database server differ by 10 ms",
                "ok: the database server has no synchronous standby: a failover to a standby can lose the last jobs",
            ])
    }

    @Test(arguments: [(3.0, "ahead of"), (-3.0, "behind")])
    func `a large difference between the two clocks causes a warning`(difference: Double, words: String) {
        #expect(
            lines(server(difference: difference))[1]
                == "warning: the clock of the database server is 3000 ms \(words) the clock of this host; "
                + "synchronize both clocks with NTP")
    }

    @Test func `a required standby that is not connected causes an error`() {
        #expect(
            lines(server(standbys: "*", connected: 0))[2]
                == "error: the database server requires a synchronous standby (*), but no such standby is connected: "
                + "jobs must wait; start the standby, or change synchronous_standby_names")
        #expect(
            lines(server(standbys: "*", connected: 1))[2]
                == "ok: the database server requires a synchronous standby (*), and 1 connected")
        #expect(
            lines(server(standbys: "*", connected: nil))[2]
                == "ok: the database server requires a synchronous standby (*)")
    }

    @Test func `a database server that confirms commits before they are on disk causes a warning`() {
        #expect(lines(server(commitsAreDurable: false))[2].hasPrefix("warning: a crash of the database server can"))
    }

    @Test func `a session whose open transaction keeps old versions of rows causes a warning that names the session`() {
        var server = server()
        server.oldestSession = DatabaseServer.OldSession(
            process: 4711, user: "report", application: "pg_dump", since: 1_800_000_000)
        #expect(
            lines(server).last
                == "warning: the database session 4711 of report (pg_dump) has an open transaction since "
                + "2027-01-15T08:00:00Z, which prevents that the server removes old versions of rows: all hosts become "
                + "slower; end the transaction, or the session with 'SELECT pg_terminate_backend(4711)'")
    }

    @Test func `lost and draining hosts cause warnings, and printers without a host cause errors`() {
        func host(_ name: String, isAlive: Bool = true, isDraining: Bool = false) -> SpoolHost {
            SpoolHost(name: name, version: "1", startedAt: 0, lastSeenAt: 1, isAlive: isAlive, isDraining: isDraining)
        }
        let list = HostList(
            hosts: [host("a"), host("b", isDraining: true), host("c", isAlive: false)],
            placements: [
                PrinterPlacement(printer: "x", driver: "a"), PrinterPlacement(printer: "y", hosts: ["c"]),
            ])
        #expect(
            HostHealth.findings(list, own: "a").map(\.line) == [
                "ok: 2 of 3 hosts are alive: a, b; this host is a",
                "warning: host c is lost; start its printd, or remove the host with 'printq hosts remove c'",
                "warning: host b is draining; 'printq hosts resume b' ends the draining",
                "error: no host that can reach y is alive: its jobs wait until host c starts",
            ])
        #expect(list.canReach("x", from: "a") && !list.canReach("y", from: "a") && list.canReach("z", from: "a"))
    }
}
