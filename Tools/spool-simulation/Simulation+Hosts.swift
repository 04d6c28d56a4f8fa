// Causes the faults of several hosts that share a database server.

import PrintModel
import PrintSpool

extension Simulation {
    /// Returns the host that receives the next request.
    func pickHost() -> SimulatedHost { isShared ? dice.pick(hosts) : hosts[0] }

    /// Causes a fault of a host, of its network, or of the server; or changes the hosts like an administrator.
    func troubleHosts() async {
        let host = dice.pick(hosts)
        switch dice.number(0...5) {
        case 0: if dice.chance(sharedTemper.stops) { host.stop(for: stopSeconds()) }
        case 1, 2: if dice.chance(sharedTemper.stops) { stopLater() }
        case 3: if dice.chance(sharedTemper.networkTrouble) { cutOff(host) }
        case 4: if dice.chance(sharedTemper.serverTrouble) { stopServer() }
        default: if dice.chance(sharedTemper.administration) { await administer(host) }
        }
    }

    /// Stops each host at a step of a delivery, such as immediately before a request to a printer.
    private func stopLater() {
        let point = dice.pick([SimulatedHost.FusePoint.request, .request, .commit, .committed, .fileCall])
        for host in hosts where dice.chance(0.7) {
            host.fuseAt = (point, dice.number(0...4), .stop(seconds: stopSeconds()))
        }
    }

    /// Returns the duration of a stop, which is often longer than a lease.
    private func stopSeconds() -> Double {
        dice.chance(0.4) ? dice.seconds(0.1...10) : 8 + 40 * dice.fraction()
    }

    private func cutOff(_ host: SimulatedHost) {
        let seconds = dice.chance(0.5) ? dice.seconds(0.1...10) : 8 + 40 * dice.fraction()
        note(.hostCutOff, "\(host.name) for \(seconds) s")
        host.cutOffUntil = loop.now + seconds
    }

    /// Stops the server, or replaces the server by its synchronous standby.
    ///
    /// Both can lose commits that were not forced.
    private func stopServer() {
        guard let server, server.isRunning else { return }
        let isFailover = dice.chance(0.5)
        note(isFailover ? .failedOver : .serverCrashed)
        do { try server.stop(losesUnforced: dice.chance(0.6)) } catch { violate("the server cannot stop: \(error)") }
        loop.after(isFailover ? dice.seconds(0.5...10) : dice.seconds(0.5...40)) { [self] in startServer() }
    }

    private func startServer() {
        guard let server, !server.isRunning else { return }
        note(.serverStarted)
        do { try server.start() } catch { violate("the server cannot start: \(error)") }
    }

    /// Changes the hosts like an administrator; requests that are refused have no effect.
    private func administer(_ host: SimulatedHost) async {
        let printer = dice.pick(printerNames)
        let change: HostChange
        switch dice.number(0...5) {
        case 0:
            note(.drained, host.name)
            change = .drain(host: host.name)
        case 1:
            note(.undrained, host.name)
            change = .resume(host: host.name)
        case 2:
            note(.hostRemoved, host.name)
            change = .remove(host: host.name)
        case 3:
            note(.placed, "\(printer) at \(host.name)")
            change = .restrict(printer: printer, hosts: [host.name])
        case 4:
            note(.placed, "\(printer) at all hosts")
            change = .restrict(printer: printer, hosts: [])
        default:
            note(.placed, "\(printer) at \(host.name) if possible")
            change = .move(printer: printer, host: dice.chance(0.3) ? nil : host.name)
        }
        _ = await request { spool, _ throws(SpoolError) in try await spool.changeHosts(change) }
    }

    /// Ends all faults of the hosts and of the server.
    func calmHosts() {
        startServer()
        for host in hosts {
            host.fuseAt = nil
            host.diskTrouble = nil
            host.cutOffUntil = 0
            host.goOn(host.process)
        }
    }

    /// Lets all hosts drive all printers; requests that fail are repeated.
    func releaseHosts() async {
        guard isShared else { return }
        for host in hosts {
            _ = await request { spool, _ throws(SpoolError) in try await spool.setDraining(false, host: host.name) }
        }
        for name in printerNames {
            _ = await request { spool, _ throws(SpoolError) in
                try await spool.place(name, hosts: [], preferredHost: nil)
            }
        }
    }

    // MARK: - All hosts

    func boot() { for host in hosts { host.boot() } }

    /// Shuts all processes down in order.
    func endAll() async { for host in hosts { await host.end() } }

    /// Waits until a process runs on each host.
    func waitForBoot() async { while hosts.contains(where: { $0.process == nil }) { await loop.pause(1) } }
}
