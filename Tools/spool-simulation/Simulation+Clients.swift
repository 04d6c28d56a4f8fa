// Simulates clients that print.

import PrintModel
import PrintScheduler
import PrintSpool

extension Simulation {
    /// Sends a request to the spooler; the response can be lost.
    func request<Value: Sendable>(
        _ work: @escaping @Sendable (Spool, Scheduler) async throws(SpoolError) -> Value
    ) async -> Answer<Value> {
        await loop.pause(dice.seconds(0.001...0.05))
        guard let process = pickHost().process else { return .down }
        let answer = await process.serve(work)
        switch answer {
        case .done, .refused:
            guard isTroubled, dice.chance(temper.clientLoss) else { return answer }
            note(.answerLost)
            return .lost
        case .lost, .down: return answer
        }
    }

    /// Prints some orders one after another.
    func beClient(_ number: Int) async {
        for index in 0..<temper.ordersPerClient {
            await loop.pause(dice.seconds(0...(temper.troubledSeconds / 2)))
            let wish = Wish(name: "c\(number)-\(index)", simulation: self)
            ledger.open(wish.order)
            if wish.isInParts { await sendInParts(wish) } else { await submit(wish) }
            await meddle(with: wish)
        }
    }

    /// An order of a client, and its submission.
    struct Wish: Sendable {
        let submission: Submission
        let order: Ledger.Order
        let documents: [(mark: String, bytes: Int)]
        let isInParts: Bool

        init(name: String, simulation: Simulation) {
            let dice = simulation.dice
            let priority = dice.pick([50, 50, 50, 50, 80])
            var ticket = JobTicket()
            if priority != 50 { ticket.priority = priority }
            let isMeddled = dice.chance(simulation.temper.meddling)
            if isMeddled && dice.chance(0.3) {
                ticket.holdUntil = dice.chance(0.5) ? .indefinite : .time(simulation.wallTime + dice.seconds(0.5...100))
            }
            let hasID = dice.chance(0.7)
            submission = Submission(
                printer: dice.pick(simulation.printerNames), owner: Ledger.owner(of: name), name: name, ticket: ticket,
                submissionID: hasID ? "id-\(name)" : nil)
            isInParts = dice.chance(0.2)
            documents = (1...dice.pick([1, 1, 1, 2])).map { number in
                ("\(name)/\(number)", dice.chance(0.2) ? 70_000 : 100)
            }
            var order = Ledger.Order(
                name: name, printer: submission.printer, priority: priority, hasSubmissionID: hasID)
            order.isPlain = !isInParts && ticket.holdUntil == nil
            self.order = order
        }
    }

    // MARK: - Submitting

    private func submit(_ wish: Wish) async {
        let floor = ledger.greatestID
        let (name, timeout) = (wish.order.name, dice.number(1...40))
        for attempt in 0... {
            if attempt > 0 { note(.repeated, name) }
            let pause = dice.chance(0.2) ? dice.seconds(0.01...5) : 0
            let answer = await request { [loop] spool, _ throws(SpoolError) in
                var documents: [(IncomingDocument, name: String?, format: DocumentFormat)] = []
                for document in wish.documents {
                    let incoming = spool.makeIncoming()
                    try await incoming.fill(with: document, pause: pause, on: loop)
                    documents.append((incoming, name: nil, format: .pdf))
                }
                return try await spool.submit(wish.submission, documents: documents)
            }
            switch answer {
            case .done(let job):
                note(.submitted, "\(name) is job \(job.id)")
                ledger.note(name) {
                    $0.isComplete = true
                    $0.marks = wish.documents.map(\.mark)
                }
                return ledger.acknowledge(name, id: job.id, above: floor)
            case .refused(let error):
                note(.refusal, "\(name): \(error)")
                checkRefusal(error)
                if attempt >= timeout { return }
            case .lost:
                ledger.note(name) {
                    $0.mayExist = true
                    $0.marks = wish.documents.map(\.mark)
                }
                // Without a submission ID, repeating the submission would print the document twice.
                guard wish.order.hasSubmissionID else { return }
            case .down: break
            }
            await loop.pause(dice.seconds(0.1...5))
        }
    }

    /// Prints with Create-Job, Send-Document and sometimes Close-Job; a client that loses a response does not send the
    /// document again.
    private func sendInParts(_ wish: Wish) async {
        let floor = ledger.greatestID
        let name = wish.order.name
        var id: Int?
        for _ in 0..<20 where id == nil {
            switch await request({ spool, _ throws(SpoolError) in try await spool.createJob(wish.submission) }) {
            case .done(let job):
                note(.created, "\(name) is job \(job.id)")
                ledger.acknowledge(name, id: job.id, above: floor)
                id = job.id
            case .refused(let error): checkRefusal(error)
            case .lost:
                ledger.note(name) { $0.mayExist = true }
                guard wish.order.hasSubmissionID else { return }
            case .down: break
            }
            await loop.pause(dice.seconds(0.01...3))
        }
        guard let id else { return }
        let isClosedApart = dice.chance(0.5)
        for (index, document) in wish.documents.enumerated() {
            if dice.chance(0.1) { return }  // the client has died
            let isLast = index == wish.documents.count - 1 && !isClosedApart
            guard await send(document, isLast: isLast, of: name, to: id) else { return }
        }
        guard isClosedApart else { return }
        let closed = await request { spool, _ throws(SpoolError) in try await spool.closeJob(id) }
        if case .done = closed { ledger.note(name) { $0.isComplete = true } }
    }

    private func send(_ document: (mark: String, bytes: Int), isLast: Bool, of name: String, to id: Int) async -> Bool {
        for _ in 0..<20 {
            let pause = dice.chance(0.2) ? dice.seconds(0.01...100) : 0
            let answer = await request { [loop] spool, _ throws(SpoolError) in
                let incoming = spool.makeIncoming(for: id)
                try await incoming.fill(with: document, pause: pause, on: loop)
                return try await spool.addDocument(incoming, name: nil, format: .pdf, to: id, isLast: isLast)
            }
            switch answer {
            case .done:
                note(.sent, name)
                ledger.note(name) {
                    $0.marks.append(document.mark)
                    if isLast { $0.isComplete = true }
                }
                return true
            case .refused(let error):
                checkRefusal(error)
                if error.code == .notPossible { return false }
            case .lost:
                ledger.note(name) { $0.isVague = true }
                return false
            case .down: break
            }
            await loop.pause(dice.seconds(0.01...3))
        }
        return false
    }

    /// Checks that a rejection is caused by a disk fault or by the state of the job.
    private func checkRefusal(_ error: SpoolError) {
        switch error.code {
        case .noSpace, .unwritable, .notPossible, .closed, .noSuchPrinter: break
        case .unavailable where isShared: break
        default: violate("a client request was rejected with \(error.code): \(error.message)")
        }
    }

    // MARK: - Changing jobs

    private func meddle(with wish: Wish) async {
        let name = wish.order.name
        guard let id = ledger.orders[name]?.id else { return }
        while dice.chance(temper.meddling) {
            await loop.pause(dice.seconds(0.01...20))
            ledger.note(name) { $0.isPlain = false }
            guard isShared else {
                await change(id, of: wish)
                continue
            }
            // Hosts change the same job at the same time.
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<dice.number(1...3) { group.addTask { await self.change(id, of: wish) } }
            }
        }
    }

    private func change(_ id: Int, of wish: Wish) async {
        let name = wish.order.name
        switch dice.number(0...6) {
        case 0:
            note(.held, name)
            let until = dice.chance(0.5) ? nil : wallTime + dice.seconds(0.1...60)
            await ask { spool, _ throws(SpoolError) in try await spool.change(id, .holdRequested(until: until)) }
        case 1, 2:
            note(.released, name)
            ledger.note(name) { $0.reprints += 1 }
            await ask { spool, _ throws(SpoolError) in try await spool.change(id, .releaseRequested) }
        case 3:
            note(.canceled, name)
            ledger.note(name) { $0.cancels += 1 }
            await ask { spool, scheduler throws(SpoolError) in
                let (job, action) = try await spool.change(id, .cancelRequested(byOperator: false))
                if action == .stopSending { await scheduler.stopSending(job.id) }
            }
        case 4:
            note(.moved, name)
            let printer = dice.pick(printerNames)
            await ask { spool, _ throws(SpoolError) in try await spool.update(id, printer: printer) }
        case 5:
            note(.reprioritized, name)
            let priority = dice.number(1...100)
            await ask { spool, _ throws(SpoolError) in try await spool.update(id, priority: priority) }
        default: await resubmit(wish, id: id)
        }
    }

    private func ask<Value: Sendable>(
        _ work: @escaping @Sendable (Spool, Scheduler) async throws(SpoolError) -> Value
    ) async {
        if case .refused(let error) = await request(work) { checkRefusal(error) }
    }

    private func resubmit(_ wish: Wish, id: Int) async {
        let (name, floor) = ("\(wish.order.name)-again", ledger.greatestID)
        guard ledger.orders[name] == nil, let old = ledger.orders[wish.order.name] else { return }
        note(.resubmitted, name)
        var submission = wish.submission
        submission.name = name
        submission.submissionID = nil
        submission.ticket.holdUntil = nil
        var order = Ledger.Order(
            name: name, printer: submission.printer, priority: old.priority, hasSubmissionID: false)
        order.isPlain = false
        order.marks = old.marks
        order.isVague = !old.isComplete || old.isVague
        ledger.open(order)
        let answer = await request { [submission] spool, _ throws(SpoolError) in
            do throws(SpoolError) {
                return try await spool.resubmit(id, as: submission)
            } catch {
                // The documents of an unreadable job are removed when the job ends.
                let isUnreadable = try await spool.job(id)?.reasons.contains(.documentFormatError) == true
                guard error.code == .documentMissing, isUnreadable else { throw error }
                throw SpoolError(code: .notPossible, message: error.message)
            }
        }
        switch answer {
        case .done(let job):
            ledger.note(name) { $0.isComplete = true }
            ledger.acknowledge(name, id: job.id, above: floor)
        case .refused(let error): checkRefusal(error)
        case .lost: ledger.note(name) { $0.mayExist = true }
        case .down: break
        }
    }
}

extension IncomingDocument {
    /// Writes a simulated document, with a pause in the middle.
    fileprivate func fill(
        with document: (mark: String, bytes: Int), pause: Double, on loop: Loop
    ) async throws(SpoolError) {
        let bytes = DocumentText.bytes(mark: document.mark, count: document.bytes)
        try write(bytes.prefix(bytes.count / 2))
        if pause > 0 { await loop.pause(pause) }
        try write(bytes.suffix(from: bytes.count / 2))
    }
}
