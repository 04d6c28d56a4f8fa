// The port, closed while a printer refuses connections (`refuse`).

import PrinterSimulator

extension SimulatorService {
    /// Closes the printers' port whenever one of them refuses connections, until its task is cancelled; to be given to the
    /// server of the port before it runs.
    ///
    /// It is told what opens the port and closes it, and returns when that is done.
    package var doorkeeper: @Sendable (@escaping @Sendable (Bool) async -> Void) async -> Void {
        get async {
            await connectionSwitch.expectKeeper()
            return { await self.keepDoor($0) }
        }
    }

    private func keepDoor(_ setOpen: @escaping @Sendable (Bool) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for device in devices { group.addTask { await self.followRefusals(of: device) } }
            group.addTask { await self.connectionSwitch.keep(setOpen) }
        }
    }

    /// Waits until the port is as the printers want it, if somebody keeps it.
    package func untilDoorIsRight() async {
        for device in devices { await lookAtRefusal(of: device) }
        await connectionSwitch.untilRight()
    }

    private func followRefusals(of device: SimulatedPrinter) async {
        while !Task.isCancelled {
            let events = await device.events()
            let refusal = await lookAtRefusal(of: device)
            await withTaskGroup { group in
                group.addTask { for await event in events where event == .printerChanged { return } }
                if let seconds = refusal.seconds {
                    // Real seconds: with a seed the printer's own clock stands still as long as nobody prints.
                    group.addTask { [clock = surroundings.clock] in
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
    private func lookAtRefusal(of device: SimulatedPrinter) async -> Refusal {
        let refusal = await device.refusal()
        await connectionSwitch.note(refusal, of: device.description.name)
        return refusal
    }
}
