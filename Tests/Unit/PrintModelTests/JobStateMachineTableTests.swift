import PrintModel
import Testing

/// Tests of every event in every reachable state of a job.
struct JobStateMachineTableTests {
    typealias Event = JobStateMachine.Event

    static let events: [Event] = [
        .documentsArrived, .closedWithoutDocuments, .documentsTimedOut, .holdRequested(until: nil),
        .holdRequested(until: 900),
        .releaseRequested, .passwordLocked, .passwordExpired, .resumeRequested(fromImpression: nil),
        .resumeRequested(fromImpression: 2), .moveRequested(to: "p"), .moveRequested(to: "q"),
        .cancelRequested(byOperator: false),
        .cancelRequested(byOperator: true), .claimed,
        .prepared(impressions: 6, sheets: 3, notice: "mended"), .createdAtPrinter(RemoteJob(id: 8, uuid: nil)),
        .withdrawing, .sending(as: "pixels"), .sent,
        .progressed(impressions: 1, sheets: 1), .progressed(impressions: nil, sheets: nil),
        .restarted, .printerStopped(message: "empty"), .printerResumed, .delivered(warning: nil),
        .delivered(warning: "hm"),
        .failed(.documentFormatError, message: "damaged"), .postponed(until: 70, message: "off"), .printerAnswered,
        .interrupted, .overtaken, .continues(at: 80, message: "reset"),
        .doubted(message: "who knows"), .backendStopped, .canceledAtPrinter(message: "by hand"),
    ]

    /// Jobs with every reachable combination of state and reasons.
    ///
    /// The search applies every event to each job until no new combination appears.
    static let reachable: [Job] = {
        var machines = [[], [JobStateReason.jobIncoming]].map {
            JobStateMachineTests.machine($0.isEmpty ? .pending : .pendingHeld, $0)
        }
        var job = JobStateMachineTests.machine(.pending).job
        job.ticket.passwordExpiresAt = 1000
        var withPassword = JobStateMachine(job: job)
        _ = try? withPassword.handle(.holdRequested(until: nil), at: 10)
        machines.append(withPassword)
        var found: [Job] = []
        var seen: Set<String> = []
        while let machine = machines.popLast() {
            let job = machine.job
            let hasPassword = job.hasReleasePassword
            guard
                seen.insert("\(job.state) \(job.reasons) \(hasPassword) \(job.remote != nil) \(job.retryAt != nil)")
                    .inserted
            else {
                continue
            }
            found.append(job)
            for event in events {
                var next = machine
                if (try? next.handle(event, at: 50)) != nil { machines.append(next) }
            }
        }
        return found
    }()

    @Test func `job events lead to every job state, and to at most 80 combinations of job state and job-state-reasons`()
    {
        #expect(Set(Self.reachable.map(\.state)) == Set(JobState.allCases))
        #expect((20...80).contains(Self.reachable.count { !$0.hasReleasePassword }))
    }

    @Test(arguments: events)
    func `the invariants of a job are true after every event in every reachable state`(_ event: Event) {
        for before in Self.reachable {
            var machine = JobStateMachine(job: before)
            let action = try? machine.handle(event, at: 100)
            let after = machine.job
            let place: Comment = "\(before.state) \(before.reasons) + \(event) → \(after.state) \(after.reasons)"
            // An ended job does not change, and a rejected event changes nothing.
            if before.state.isTerminal || action == nil { #expect(after == before, place) }
            if before.state.isTerminal { #expect(action == nil || action == JobStateMachine.Action.none, place) }
            #expect((after.completedAt != nil) == after.state.isTerminal, place)
            #expect((action == .finish) == (after.state.isTerminal && !before.state.isTerminal), place)
            #expect(after.retryAt == nil || after.state == .pending, place)
            #expect(after.heldUntil == nil || after.state == .pendingHeld, place)
            #expect(Set(after.reasons).count == after.reasons.count, place)
            expectReasons(after, place)
            if !before.reasons.contains(.jobSuspended) {
                #expect(after.impressionsCompleted >= before.impressionsCompleted, place)
                #expect(after.sheetsCompleted >= before.sheetsCompleted, place)
            }
            if after.printer == before.printer { #expect(after.attempts >= before.attempts, place) }
            #expect((action == .stopSending) == (isStopping(after) && !isStopping(before)), place)
            // Only a user can restart a job that may have been printed.
            if before.reasons.contains(.jobSuspended), after.state == .pending {
                let words: [Event] = [
                    .releaseRequested, .resumeRequested(fromImpression: nil), .resumeRequested(fromImpression: 2),
                ]
                #expect(words.contains(event), place)
            }
            // Only a release lets a job with a password start.
            if before.state == .pendingHeld, before.hasReleasePassword, after.state == .pending {
                #expect([.releaseRequested, .documentsArrived].contains(event), place)
            }
            // A job that is being canceled ends, and is never printed again.
            if isStopping(before) { #expect(isStopping(after) || after.state.isTerminal, place) }
        }
    }

    @Test(arguments: events)
    func `if a job event is handled a second time, the job does not change`(_ event: Event) {
        for before in Self.reachable {
            var machine = JobStateMachine(job: before)
            guard (try? machine.handle(event, at: 100)) != nil else { continue }
            let once = machine.job
            let again = try? machine.handle(event, at: 200)
            #expect(machine.job == once, "\(before.state) \(before.reasons) + \(event) twice")
            #expect(
                again == nil || again == JobStateMachine.Action.none,
                "\(before.state) \(before.reasons) + \(event) twice")
        }
    }

    private func isStopping(_ job: Job) -> Bool { job.reasons.contains(.processingToStopPoint) }

    /// Checks that the reasons of a job are allowed for its state.
    private func expectReasons(_ job: Job, _ place: Comment) {
        let allowed: Set<JobStateReason> =
            switch job.state {
            case .pending: [.destinationUnavailable, .jobResuming, .jobTransforming]
            case .pendingHeld: [.jobIncoming, .jobHoldUntilSpecified, .jobPasswordWait]
            case .processing:
                [
                    .jobTransforming, .jobOutgoing, .submissionInterrupted, .jobPrinting, .processingToStopPoint,
                    .jobCanceledByUser,
                    .jobCanceledByOperator, .warningsDetected,
                ]
            case .processingStopped:
                [
                    .printerStopped, .jobSuspended, .processingToStopPoint, .jobCanceledByUser,
                    .jobCanceledByOperator, .warningsDetected,
                ]
            case .canceled: [.jobCanceledByUser, .jobCanceledByOperator, .jobCanceledAtDevice]
            case .aborted: [.documentFormatError, .abortedBySystem, .errorsDetected, .multipleOperationTimeOut]
            case .completed: [.jobCompletedSuccessfully, .jobCompletedWithWarnings]
            }
        #expect(allowed.isSuperset(of: job.reasons), place)
        if job.state != .pending { #expect(!job.reasons.isEmpty, place) }
    }
}
