// Runs a simulation: a phase with faults, a calm phase, and the final checks.

import PrintModel
import PrintScheduler
import PrintSpool

extension Simulation {
    /// Runs the simulation from the first start of the spooler to the final checks.
    func live() async {
        boot()
        for (index, name) in printerNames.enumerated() {
            let printer = ConfiguredPrinter(
                name: name, deviceURI: "device:\(name)", isDefault: index == 0, errorPolicy: temper.policies[index],
                afterInterruption: temper.interruptions[index])
            repeat {
                let answer = await hosts[0].process?.serve { [isShared] spool, _ throws(SpoolError) in
                    if isShared, try await spool.printer(named: name) != nil { return }
                    try await spool.addPrinter(printer)
                }
                if case .done = answer { break }
                await loop.pause(1)
            } while isShared
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.trouble() }
            for client in 0..<temper.clients { group.addTask { await self.beClient(client) } }
        }
        await calm()
        await check()
        await purge()
        for process in processes { await process.remains() }
        for host in hosts where host.disk.openCount > 0 {
            violate("\(host.disk.openCount) files are open although no process is alive")
        }
    }

    /// Causes faults until the calm phase begins.
    private func trouble() async {
        while loop.now < temper.troubledSeconds {
            await loop.pause(dice.seconds(0.01...(temper.troubledSeconds / (isShared ? 8 : 4))))
            if isShared, dice.chance(0.5) {
                await troubleHosts()
                continue
            }
            switch dice.number(0...6) {
            case 0, 1: if dice.chance(temper.crashes) { setFuse(of: pickHost(), .kill) }
            case 2, 3: if dice.chance(temper.printerTrouble) { troublePrinter() }
            case 4: if dice.chance(temper.diskTrouble) { troubleDisk() }
            case 5: if dice.chance(temper.clockJumps) { jump() }
            default: if dice.chance(temper.meddling) { await manage() }
            }
        }
        isTroubled = false
        calmHosts()
        limitDatabase(pages: nil)
        for name in printerNames {
            devices["device:\(name)"]?.silentUntil = 0
            devices["device:\(name)"]?.goOn()
        }
        if dice.chance(0.5) { wallOffset = 0 }
        trace.say(at: loop.now, "calm")
    }

    func setFuse(of host: SimulatedHost, _ effect: SimulatedHost.FuseEffect) {
        host.fuseAt =
            switch dice.number(0...5) {
            case 0: (.step, dice.number(0...20), effect)
            case 1: (.step, dice.number(0...200), effect)
            case 2: (.commit, dice.number(0...10), effect)
            case 3: (.committed, dice.number(0...10), effect)
            case 4: (.fileCall, dice.number(0...10), effect)
            default: (.request, dice.number(0...6), effect)
            }
    }

    private func troublePrinter() {
        guard let device = devices["device:\(dice.pick(printerNames))"] else { return }
        let seconds = dice.seconds(0.1...90)
        switch dice.number(0...7) {
        case 0, 1: device.silentUntil = loop.now + seconds
        case 2, 3:
            device.halt()
            loop.after(seconds) { device.goOn() }
        case 4: device.restart()
        case 5: device.endCurrent()
        case 6: device.forgetEnded()
        default: device.takeStranger()
        }
    }

    private func troubleDisk() {
        let seconds = dice.seconds(0.1...30)
        let host = pickHost()
        if dice.chance(0.4) {
            note(.diskFull)
            limitDatabase(pages: dice.number(0...1))
            loop.after(seconds) { [self] in limitDatabase(pages: nil) }
        } else {
            let isFull = dice.chance(0.5)
            note(isFull ? .diskFull : .diskError)
            host.diskTrouble = (isFull ? .full : .inputOutput, dice.pick([0.1, 0.5, 1]))
            loop.after(seconds) { host.diskTrouble = nil }
        }
    }

    private func limitDatabase(pages: Int?) {
        do { try database.limitGrowth(pages: pages) } catch { violate("the database cannot be limited: \(error)") }
    }

    private func jump() {
        wallOffset += dice.seconds(1...90_000) * (dice.chance(0.5) ? 1 : -1)
        note(.clockJump, "\(wallOffset)")
    }

    /// Acts like an administrator.
    private func manage() async {
        let name = dice.pick(printerNames)
        switch dice.number(0...3) {
        case 0:
            note(.paused, name)
            _ = await request { spool, _ throws(SpoolError) in try await spool.pausePrinter(named: name) }
            let seconds = dice.seconds(1...30)
            loop.after(seconds) { [self] in
                Task(executorPreference: loop) { [self] in await resume(name) }
            }
        case 1: await settle(isHasty: true)
        case 2:
            let host = pickHost()
            guard host.process != nil else { return await resume(name) }
            note(.restart)
            await host.end()
            host.boot()
        default: await resume(name)
        }
    }

    private func resume(_ printer: String) async {
        note(.resumed, printer)
        _ = await request { spool, scheduler throws(SpoolError) in
            try await spool.resumePrinter(named: printer)
            scheduler.wake()
        }
    }

    /// Resolves uncertain jobs like users who check the printed pages; hasty users do not check.
    func settle(isHasty: Bool) async {
        let answer = await request { spool, _ throws(SpoolError) in try await spool.jobs(JobFilter(.notCompleted)) }
        guard case .done(let jobs) = answer else { return }
        for job in jobs where job.reasons.contains(.jobSuspended) {
            let isEnough = isHasty ? dice.chance(0.3) : isPrinted(job.name)
            let isWhole = dice.chance(0.5)
            note(isEnough ? .dropped : isWhole ? .retried : .continued, job.name)
            ledger.note(job.name) { order in
                order.isPlain = false
                if isEnough { order.cancels += 1 } else { order.reprints += 1 }
            }
            _ = await request { spool, _ throws(SpoolError) in
                if isEnough { return try await spool.change(job.id, .cancelRequested(byOperator: true)) }
                return try await spool.change(
                    job.id, isWhole ? .releaseRequested : .resumeRequested(fromImpression: nil))
            }
        }
    }

    // MARK: - Calm

    /// The time limit for ending all jobs in the calm phase, in seconds.
    private static let mostCalm = 7200.0

    /// Waits until all jobs have ended.
    ///
    /// No faults occur, and users resolve the jobs that wait for them.
    private func calm() async {
        let end = loop.now + Self.mostCalm
        while loop.now < end {
            await releaseHosts()
            for name in printerNames { await resume(name) }
            await settle(isHasty: false)
            let answer = await request { spool, _ throws(SpoolError) in
                try await spool.jobs(JobFilter(.notCompleted))
            }
            if case .done(let jobs) = answer {
                if jobs.isEmpty { return await sleepOver() }
                for job in jobs where job.reasons.contains(.jobHoldUntilSpecified) {
                    _ = await request { spool, _ throws(SpoolError) in
                        try await spool.change(job.id, .releaseRequested)
                    }
                }
            }
            await loop.pause(20)
        }
        for row in rows("SELECT id, name, state, reasons, message, retry_at, incoming_until FROM jobs WHERE state < 7")
        {
            violate("did not end: job \(row.joined(separator: ", ")), at \(wallTime)")
        }
        await endAll()
    }

    /// Removes ended jobs, with or without a crash; no file may remain, and no ID may be reused.
    private func purge() async {
        boot()
        let kept = dice.number(0...2)
        note(.purged, "all but \(kept)")
        if dice.chance(temper.crashes) { setFuse(of: pickHost(), .kill) }
        _ = await request { spool, _ throws(SpoolError) in try await spool.purge(keepJobs: kept, keepSeconds: 1e9) }
        for host in hosts { host.fuseAt = nil }
        await waitForBoot()
        _ = await request { spool, _ throws(SpoolError) in try await spool.purge(keepJobs: kept, keepSeconds: 1e9) }
        if rows("SELECT id FROM jobs").count > kept { violate("a purge left more than \(kept) ended jobs") }
        let printer = printerNames[0]
        let next = await request { spool, _ throws(SpoolError) in
            try await spool.createJob(Submission(printer: printer, owner: "ada", name: "afterwards")).id
        }
        if case .done(let id) = next, id <= ledger.greatestID { violate("job ID \(id) is reused") }
        await endAll()
        boot()
        checkFiles()
        await endAll()
    }

    /// Shuts the process down or kills it, and starts it again, so that the checks use the reloaded state.
    private func sleepOver() async {
        let before = rows("SELECT id, state, reasons FROM jobs ORDER BY id")
        if dice.chance(0.5) {
            await endAll()
            boot()
        } else {
            for host in hosts { host.kill(.killed) }
            await waitForBoot()
        }
        if rows("SELECT id, state, reasons FROM jobs ORDER BY id") != before { violate("a restart changed ended jobs") }
        checkFiles()
        await endAll()
    }
}
