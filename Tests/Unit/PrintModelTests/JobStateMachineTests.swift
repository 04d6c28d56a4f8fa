import PrintModel
import Testing

/// Tests of event sequences for one job.
struct JobStateMachineTests {
    typealias Event = JobStateMachine.Event

    static func machine(_ state: JobState = .pending, _ reasons: [JobStateReason] = []) -> JobStateMachine {
        JobStateMachine(
            job: Job(
                id: 7, uuid: "urn:uuid:7", printer: "p", owner: "o", name: "n", state: state, reasons: reasons,
                createdAt: 1))
    }

    /// Returns a state machine that has handled the given events.
    static func machine(after events: [Event]) throws -> JobStateMachine {
        var machine = Self.machine()
        for event in events { _ = try machine.handle(event, at: 10) }
        return machine
    }

    static let remote = RemoteJob(id: 3, uuid: "urn:uuid:3")
    static let printing: [Event] = [
        .claimed, .prepared(impressions: 4, sheets: 2, notice: nil), .createdAtPrinter(remote), .sent,
    ]

    static func printingMachine() throws -> JobStateMachine { try machine(after: printing) }

    @Test func `the events of a successful job report preparation, sending, printing and completion`() throws {
        var machine = Self.machine()
        var seen: [String] = []
        let events =
            Self.printing + [
                .progressed(impressions: 1, sheets: 0), .progressed(impressions: 4, sheets: 2),
                .delivered(warning: nil),
            ]
        for (time, event) in events.enumerated() {
            let action = try machine.handle(event, at: Double(time))
            seen.append("\(machine.job.state) \(machine.job.reasons) \(machine.job.stateMessage) → \(action)")
        }
        #expect(
            seen == [
                "processing [job-transforming] Preparing → none",
                "processing [job-transforming] Prepared → none",
                "processing [job-outgoing] Sending to the printer → none",
                "processing [job-printing] Printing → none",
                "processing [job-printing] Printing page 2 of 4 → none",
                "processing [job-printing] All pages printed → none",
                "completed [job-completed-successfully]  → finish",
            ])
        #expect((machine.job.processingAt, machine.job.completedAt) == (0, 6))
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (4, 2))
    }

    @Test
    func `if the printer restarts a job, the completed job has a warning about pages that were printed twice`() throws {
        let twice = "The printer restarted the job: some pages may have been printed twice"
        var machine = try Self.printingMachine()
        _ = try machine.handle(.restarted, at: 20)
        #expect((machine.job.reasons, machine.job.message) == ([.jobPrinting, .warningsDetected], twice))
        _ = try machine.handle(.printerStopped(message: "Tray 1 is empty"), at: 21)
        #expect(machine.job.reasons == [.printerStopped, .warningsDetected])
        _ = try machine.handle(.printerResumed, at: 22)
        _ = try machine.handle(.progressed(impressions: 2, sheets: 1), at: 23)
        #expect(
            (machine.job.reasons, machine.job.message) == ([.jobPrinting, .warningsDetected], "Printing page 3 of 4"))
        var warned = machine
        _ = try machine.handle(.delivered(warning: nil), at: 24)
        #expect((machine.job.reasons, machine.job.message) == ([.jobCompletedWithWarnings], twice))
        _ = try warned.handle(.delivered(warning: "Pale"), at: 24)
        #expect(warned.job.message == "\(twice). Pale")
    }

    @Test func `a warning of the preparation that the printer repeats is in the message once`() throws {
        let damage = "page 1 may be incomplete because it contains a damaged JBIG2 image"
        for (warning, message) in [(damage, damage), ("Pale", "\(damage). Pale"), (nil, damage)] {
            var events = Self.printing
            events[1] = .prepared(impressions: 4, sheets: 2, notice: damage, warnings: [damage])
            var machine = try Self.machine(after: events)
            _ = try machine.handle(.delivered(warning: warning), at: 24)
            #expect((machine.job.reasons, machine.job.message) == ([.jobCompletedWithWarnings], message))
        }
    }

    @Test func `implausible page counts of a printer are ignored`() throws {
        var machine = try Self.printingMachine()
        _ = try machine.handle(.progressed(impressions: 1, sheets: 1), at: 20)
        _ = try machine.handle(.progressed(impressions: 2_147_483_647, sheets: 2_147_483_647), at: 21)
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (1, 1))
        _ = try machine.handle(.delivered(warning: nil), at: 22)
        #expect((machine.job.impressionsCompleted, machine.job.sheetsCompleted) == (4, 2))
    }

    @Test func `if a running job is canceled, the job ends only after the backend has stopped`() throws {
        var machine = try Self.printingMachine()
        #expect(try machine.handle(.cancelRequested(byOperator: false), at: 20) == .stopSending)
        #expect(machine.job.state == .processing)
        #expect(machine.job.reasons == [.processingToStopPoint, .jobCanceledByUser])
        #expect(try machine.handle(.progressed(impressions: 2, sheets: 1), at: 21) == .none)
        #expect((machine.job.stateMessage, machine.job.impressionsCompleted) == ("Stopping", 2))
        #expect(throws: JobStateMachine.InvalidTransition.self) {
            try machine.handle(.cancelRequested(byOperator: true), at: 22)
        }
        #expect(try machine.handle(.backendStopped, at: 23) == .finish)
        #expect((machine.job.state, machine.job.reasons) == (.canceled, [.jobCanceledByUser]))
        #expect(machine.job.completedAt == 23)
    }

    @Test(arguments: [
        Event.failed(.documentFormatError, message: "killed"), .postponed(until: 99, message: "gone"), .interrupted,
        .doubted(message: "lost"), .canceledAtPrinter(message: "stopped"), .backendStopped,
    ])
    func `after a cancellation, the job ends as canceled, regardless of the event that stops the job`(_ event: Event)
        throws
    {
        var machine = try Self.printingMachine()
        _ = try machine.handle(.cancelRequested(byOperator: true), at: 20)
        #expect(try machine.handle(event, at: 30) == .finish)
        #expect((machine.job.state, machine.job.reasons) == (.canceled, [.jobCanceledByOperator]))
    }

    @Test func `if the last page of a job is printed before a cancellation takes effect, the job is completed`() throws
    {
        var machine = try Self.printingMachine()
        _ = try machine.handle(.cancelRequested(byOperator: false), at: 20)
        #expect(try machine.handle(.delivered(warning: nil), at: 30) == .finish)
        #expect(machine.job.state == .completed)
    }

    @Test func `if a job is held during its upload, the job waits for the documents and for the release`() throws {
        var machine = Self.machine(.pendingHeld, [.jobIncoming])
        #expect(try machine.handle(.holdRequested(until: 500), at: 2) == .none)
        #expect(machine.job.reasons == [.jobIncoming, .jobHoldUntilSpecified])
        #expect(try machine.handle(.documentsArrived, at: 3) == .none)
        #expect((machine.job.state, machine.job.heldUntil) == (.pendingHeld, 500))
        #expect(try machine.handle(.releaseRequested, at: 4) == .none)
        #expect((machine.job.state, machine.job.reasons, machine.job.heldUntil) == (.pending, [], nil))
    }

    @Test(arguments: [JobStateReason.jobIncoming, .jobDataInsufficient], [JobState.pending, .pendingHeld])
    func `a claim or a release of a job has no effect before the job's documents arrive`(
        _ reason: JobStateReason, _ state: JobState
    ) throws {
        var machine = Self.machine(state, [reason])
        #expect(try machine.handle(.claimed, at: 2) == .none)
        #expect(try machine.handle(.releaseRequested, at: 2) == .none)
        #expect((machine.job.state, machine.job.reasons) == (state, [reason]))
        var late = machine
        #expect(try machine.handle(.documentsArrived, at: 3) == .none)
        #expect((machine.job.state, machine.job.reasons) == (.pending, []))
        #expect(try late.handle(.documentsTimedOut, at: 3) == .finish)
        #expect((late.job.state, late.job.reasons) == (.aborted, [.multipleOperationTimeOut, .abortedBySystem]))
    }

    @Test(arguments: [JobState.pending, .pendingHeld])
    func `if a job is closed without a document, the job is aborted with a message`(_ state: JobState) throws {
        var machine = Self.machine(state, [.jobIncoming])
        #expect(try machine.handle(.closedWithoutDocuments, at: 3) == .finish)
        #expect((machine.job.state, machine.job.reasons) == (.aborted, [.errorsDetected, .abortedBySystem]))
        #expect(machine.job.message.contains("no document"))
        // The event does not affect a job that is not waiting for documents.
        var waiting = Self.machine(.pending, [])
        #expect(try waiting.handle(.closedWithoutDocuments, at: 3) == .none)
        #expect(waiting.job.state == .pending)
    }

    @Test
    func `if a job is postponed, the number of attempts is incremented, and the job can be claimed at the retry time`()
        throws
    {
        var machine = try Self.machine(after: [.claimed, .createdAtPrinter(Self.remote)])
        #expect(try machine.handle(.postponed(until: 60, message: "p is off"), at: 50) == .none)
        #expect((machine.job.state, machine.job.reasons) == (.pending, [.destinationUnavailable]))
        #expect((machine.job.attempts, machine.job.retryAt, machine.job.remote) == (1, 60, nil))
        #expect(machine.job.message == "p is off")
        #expect(try machine.handle(.claimed, at: 61) == .none)
        #expect((machine.job.state, machine.job.retryAt, machine.job.processingAt) == (.processing, nil, 10))
        #expect(machine.job.attempts == 1)
    }

    @Test
    func `while printd withdraws a job from the printer, the job has the reason 'submission-interrupted'`() throws {
        var machine = try Self.machine(after: [
            .claimed, .createdAtPrinter(Self.remote), .printerStopped(message: "silent"),
        ])
        #expect(try machine.handle(.withdrawing, at: 50) == .none)
        #expect((machine.job.state, machine.job.reasons) == (.processing, [.submissionInterrupted]))
        #expect(try machine.handle(.printerStopped(message: "silent again"), at: 51) == .none)
        #expect((machine.job.state, machine.job.reasons) == (.processing, [.submissionInterrupted]))
        var other = machine
        #expect(try other.handle(.sent, at: 52) == .none)
        #expect(other.job.reasons == [.jobPrinting])
        #expect(try machine.handle(.interrupted, at: 52) == .none)
        #expect((machine.job.state, machine.job.remote) == (.pending, nil))
        #expect(!machine.job.reasons.contains(.submissionInterrupted))
    }

    @Test
    func `when the printer responds, a postponed job becomes ready immediately, and the number of attempts is kept`()
        throws
    {
        var machine = try Self.machine(after: [.claimed, .postponed(until: 60, message: "off")])
        #expect(try machine.handle(.printerAnswered, at: 20) == .none)
        #expect(machine.job.retryAt == nil)
        #expect(machine.job.attempts == 1)
        #expect(machine.job.reasons == [])
        #expect(try machine.handle(.printerAnswered, at: 21) == .none)
    }

    @Test func `if a waiting job cannot be printed, the job is aborted without being claimed`() throws {
        var machine = Self.machine()
        #expect(try machine.handle(.failed(.documentFormatError, message: "no PDF"), at: 20) == .finish)
        #expect(machine.job.state == .aborted)
        #expect(machine.job.reasons == [.documentFormatError, .abortedBySystem])
    }

    @Test func `if a postponed job is held and released, the job can be printed immediately`() throws {
        var machine = try Self.machine(after: [.claimed, .postponed(until: 60, message: "off")])
        _ = try machine.handle(.holdRequested(until: nil), at: 51)
        #expect(try machine.handle(.releaseRequested, at: 52) == .none)
        #expect((machine.job.state, machine.job.retryAt) == (.pending, nil))
    }

    @Test func `a suspended job stays suspended until the job is canceled, released or reported as delivered`() throws {
        var machine = try Self.printingMachine()
        #expect(try machine.handle(.doubted(message: "page 2 may have printed"), at: 20) == .none)
        #expect((machine.job.state, machine.job.reasons) == (.processingStopped, [.jobSuspended]))
        let suspended = machine.job
        for event: Event in [
            .interrupted, .postponed(until: 9, message: ""), .printerResumed, .printerStopped(message: "x"),
            .progressed(impressions: 3, sheets: 1), .backendStopped, .claimed, .doubted(message: "again"), .sent,
            .failed(.abortedBySystem, message: "x"), .createdAtPrinter(RemoteJob(id: 9, uuid: nil)),
        ] {
            #expect(try machine.handle(event, at: 30) == .none)
            #expect(machine.job == suspended)
        }
        var canceled = machine
        #expect(try canceled.handle(.cancelRequested(byOperator: false), at: 40) == .finish)
        #expect(canceled.job.state == .canceled)
        var found = machine
        #expect(try found.handle(.delivered(warning: nil), at: 40) == .finish)
        #expect(found.job.state == .completed)
        #expect(try machine.handle(.releaseRequested, at: 40) == .none)
        #expect((machine.job.state, machine.job.remote, machine.job.impressionsCompleted) == (.pending, nil, 0))
    }

    @Test func `a job keeps the reason and message of a stopped printer until the printer prints again`() throws {
        var machine = try Self.printingMachine()
        _ = try machine.handle(.printerStopped(message: "out of paper"), at: 20)
        _ = try machine.handle(.progressed(impressions: 2, sheets: 1), at: 21)
        #expect((machine.job.state, machine.job.reasons) == (.processingStopped, [.printerStopped]))
        #expect((machine.job.message, machine.job.impressionsCompleted) == ("out of paper", 2))
        _ = try machine.handle(.printerStopped(message: "cover open"), at: 22)
        #expect(machine.job.message == "cover open")
        _ = try machine.handle(.printerResumed, at: 23)
        #expect((machine.job.state, machine.job.reasons) == (.processing, [.jobPrinting]))
        #expect(machine.job.message == "Printing page 3 of 4")
    }

    @Test func `progress never decreases, implausible progress is ignored, and a negative page total becomes zero`()
        throws
    {
        var machine = try Self.printingMachine()
        for (said, kept) in [(2, 2), (1, 2), (-5, 2), (Int.min, 2), (.max, 2), (3, 3)] {
            _ = try machine.handle(.progressed(impressions: said, sheets: nil), at: 20)
            #expect(machine.job.impressionsCompleted == kept)
        }
        #expect(machine.job.message == "Printing page 4 of 4")
        _ = try machine.handle(.prepared(impressions: .min, sheets: -1, notice: nil), at: 21)
        #expect((machine.job.impressions, machine.job.sheets) == (0, 0))
        #expect(machine.job.reasons == [.jobPrinting])
    }

    @Test(arguments: [JobState.pending, .pendingHeld])
    func `if a waiting job is prepared in advance, the sheet count is set, and the job remains waiting`(
        _ state: JobState
    )
        throws
    {
        var machine = Self.machine(state)
        #expect(try machine.handle(.prepared(impressions: 5, sheets: 3, notice: "x"), at: 2) == .none)
        #expect((machine.job.state, machine.job.impressions, machine.job.sheets) == (state, 5, 3))
    }

    @Test func `the warnings of the preparation are reported when the job is completed`() throws {
        let prepared = JobStateMachine.Event.prepared(
            impressions: 2, sheets: 1, notice: "a, b", warnings: ["a", "b", "c", "d", "e"])
        let ahead = try Self.machine(after: [prepared, .claimed, .sent, .delivered(warning: "toner low")])
        #expect(ahead.job.reasons == [.jobCompletedWithWarnings])
        #expect(ahead.job.message == "a. b. c. 2 more warnings. toner low")
        var again = try Self.machine(after: [.claimed, prepared])
        _ = try again.handle(.prepared(impressions: 2, sheets: 1, notice: nil), at: 3)
        _ = try again.handle(.delivered(warning: nil), at: 4)
        #expect((again.job.reasons, again.job.message) == ([.jobCompletedSuccessfully], ""))
    }

    @Test func `a request is rejected with a message if the job's state does not allow the request`() throws {
        var done = try Self.machine(after: [.claimed, .delivered(warning: "toner low")])
        #expect(done.job.reasons == [.jobCompletedWithWarnings])
        for (event, words) in [
            (Event.holdRequested(until: nil), "job 7 is completed and cannot be held: only a waiting job can be held"),
            (.releaseRequested, "job 7 is completed and cannot be released: only a held job can be released"),
            (.cancelRequested(byOperator: true), "job 7 is already completed"),
        ] {
            let error = try #require(throws: JobStateMachine.InvalidTransition.self) { try done.handle(event, at: 30) }
            #expect(error.description == words)
        }
    }

    @Test func `a restored job stays held until its time, and is suspended if its time has passed`() throws {
        for (held, isSuspended) in [(nil, false), (100, false), (30, true), (20, true)] as [(UnixTime?, Bool)] {
            var machine = try Self.machine(after: [.holdRequested(until: held)])
            _ = try machine.handle(.restored(message: "restored"), at: 30)
            #expect(machine.job.state == (isSuspended ? .processingStopped : .pendingHeld), "\(held ?? 0)")
            #expect(machine.job.reasons == (isSuspended ? [.jobSuspended] : [.jobHoldUntilSpecified]))
            #expect(machine.job.heldUntil == (isSuspended ? nil : held))
        }
    }

    @Test func `an aborted job lists each reason only once`() throws {
        var machine = try Self.machine(after: [.claimed])
        #expect(try machine.handle(.failed(.documentPasswordError, message: "locked"), at: 20) == .finish)
        #expect((machine.job.state, machine.job.reasons) == (.aborted, [.documentPasswordError, .abortedBySystem]))
        var other = try Self.machine(after: [.claimed])
        _ = try other.handle(.failed(.abortedBySystem, message: "given up"), at: 20)
        #expect(other.job.reasons == [.abortedBySystem])
    }
}
