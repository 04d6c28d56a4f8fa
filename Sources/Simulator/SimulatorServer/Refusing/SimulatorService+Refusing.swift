// Closes and opens the TCP port as the printers' `refuse` faults require.

import PrinterSimulator

extension SimulatorService {
    func expectServer() async { await portState.expectServer() }

    func followRefusals(_ setOpen: @escaping @Sendable (Bool) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for device in devices { group.addTask { await self.followRefusals(of: device) } }
            group.addTask { await self.portState.follow(setOpen) }
        }
    }

    /// Waits until the port has the required state: closed if a printer refuses connections, otherwise open.
    ///
    /// Returns immediately if no server controls the port.
    package func untilPortIsCurrent() async {
        for device in devices { await noteRefusal(of: device) }
        await portState.untilCurrent()
    }

    private func followRefusals(of device: SimulatedPrinter) async {
        while !Task.isCancelled {
            let events = await device.events()
            let refusal = await noteRefusal(of: device)
            await withTaskGroup { group in
                group.addTask { for await event in events where event == .printerChanged { return } }
                if let seconds = refusal.seconds {
                    // Real seconds: with a seed, the printer's own clock stands still while no job prints.
                    group.addTask { [clock = environment.clock] in
                        guard (try? await clock.sleep(for: .seconds(seconds))) != nil, refusal.isRefusing else {
                            return
                        }
                        await device.endRefusal()
                    }
                }
                await group.next()
                group.cancelAll()
            }
        }
    }

    @discardableResult
    private func noteRefusal(of device: SimulatedPrinter) async -> Refusal {
        let refusal = await device.refusal()
        await portState.note(refusal, of: device.description.name)
        return refusal
    }
}
