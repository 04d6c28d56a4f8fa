// The implementations of the backend trials.

package import PrintModel
import Testing

extension BackendBench {
    func delivers() async throws {
        let backend = try await makeBackend()
        let capabilities = try await backend.capabilities()
        #expect(!capabilities.papers.isEmpty && capabilities.maxCopies >= 1)
        #expect(capabilities.formats.contains(format))
        let remote = try await create("whole", by: backend)
        #expect(remote.id > 0)
        let waiting = try #require(try await backend.jobStatus(remote))
        #expect(!waiting.state.isTerminal && (waiting.impressionsCompleted ?? 0) == 0)
        #expect(try await paper().isEmpty, "nothing is printed before the document is sent")
        try await backend.sendDocument(document(pages: 3), format: format, to: remote)
        let end = try await ended(remote, by: backend)
        #expect(end.state == .completed)
        if Self.countsSides { #expect(end.impressionsCompleted == 3) }
        try await expectPaper(["whole": [3]])
    }

    func showsProgress() async throws {
        let backend = try await makeBackend()
        try await begin(.stopsAtSecondSide)
        let remote = try await deliver("slow", by: backend)
        let stopped = try await status(of: remote, by: backend) { $0.state == .processingStopped }
        if Self.countsSides { #expect(stopped.impressionsCompleted == 1) }
        let device = try await backend.status()
        #expect(!device.text.isEmpty, "a stopped printer must report the reason")
        try await end(.stopsAtSecondSide)
        let end = try await ended(remote, by: backend)
        #expect(end.state == .completed)
        try await expectPaper(["slow": [3]])
    }

    func cancelsMidway() async throws {
        let backend = try await makeBackend()
        try await begin(.stopsAtSecondSide)
        let remote = try await deliver("unwanted", by: backend)
        _ = try await status(of: remote, by: backend) { $0.state == .processingStopped }
        try await backend.cancelJob(remote)
        let end = try await ended(remote, by: backend)
        #expect(end.state == .canceled)
        try await backend.cancelJob(remote)
        try await untilDeviceHasEndedJob()
        try await self.end(.stopsAtSecondSide)
        let next = try await deliver("next", by: backend)
        #expect(try await ended(next, by: backend).state == .completed)
        let paper = try await paper()
        #expect(paper.filter { $0.name == "next" }.map(\.sides) == [3])
        #expect(paper.filter { $0.name == "unwanted" }.allSatisfy { $0.sides < 3 }, "\(paper)")
    }

    func cancelsWithoutDocument() async throws {
        let backend = try await makeBackend()
        let remote = try await create("empty", by: backend)
        try await backend.cancelJob(remote)
        if let status = try await backend.jobStatus(remote) { #expect(status.state.isTerminal) }
        #expect(try await paper().isEmpty)
    }

    func goneBeforeSending() async throws {
        let backend = try await makeBackend()
        try await begin(.unreachable)
        let error = await failure { _ = try await create("late", by: backend) }
        #expect(error?.code == .unreachable && error?.isTransient == true)
        #expect(error?.message.isEmpty == false)
        #expect(await failure { _ = try await backend.status() }?.isTransient == true)
        try await end(.unreachable)
        let remote = try await deliver("late", by: backend)
        #expect(try await ended(remote, by: backend).state == .completed)
        try await expectPaper(["late": [3]])
    }

    func goneWhileSending() async throws {
        let backend = try await makeBackend()
        let remote = try await create("cut", by: backend)
        try await begin(.documentCut)
        let error = await failure {
            try await backend.sendDocument(document(pages: 3), format: format, to: remote)
        }
        #expect(error?.mayHaveBeenReceived == true, "a part of the document was sent: \(error as Any)")
        try await end(.documentCut)
        let after = try await makeBackend()
        if let status = try await after.jobStatus(remote) { #expect(status.state != .completed) }
        try await after.cancelJob(remote)
        #expect(try await paper().isEmpty)
        let again = try await deliver("again", by: after)
        #expect(try await ended(again, by: after).state == .completed)
        try await expectPaper(["again": [3]])
    }

    func goneAfterSending() async throws {
        let backend = try await makeBackend()
        let remote = try await create("unsure", by: backend)
        try await begin(.answerLost)
        let error = await failure {
            try await backend.sendDocument(document(pages: 3), format: format, to: remote)
        }
        #expect(error?.mayHaveBeenReceived == true)
        try await end(.answerLost)
        let after = try await makeBackend()
        #expect(try await ended(remote, by: after).state == .completed)
        try await expectPaper(["unsure": [3]])
    }

    func isBusy() async throws {
        let backend = try await makeBackend()
        try await begin(.busy)
        let error = await failure { _ = try await create("patient", by: backend) }
        #expect(error?.isTransient == true)
        try await end(.busy)
        let remote = try await deliver("patient", by: backend)
        #expect(try await ended(remote, by: backend).state == .completed)
        try await expectPaper(["patient": [3]])
    }

    func repeatsAnswer() async throws {
        let backend = try await makeBackend()
        let first = try await deliver("first", by: backend)
        #expect(try await ended(first, by: backend).state == .completed)
        try await begin(.answerRepeated)
        // Whatever the result is, the first job's document must not be printed again.
        _ = await failure {
            let remote = try await create("second", by: backend)
            try await backend.sendDocument(document(pages: 3), format: format, to: remote)
        }
        try await end(.answerRepeated)
        let third = try await deliver("third", by: backend)
        #expect(third != first)
        #expect(try await ended(third, by: backend).state == .completed)
        let paper = try await paper()
        for name in ["first", "third"] { #expect(paper.filter { $0.name == name }.map(\.sides) == [3], "\(paper)") }
        #expect(paper.count { $0.name == "second" } <= 1)
    }

    func knowsStrangers() async throws {
        let backend = try await makeBackend()
        let stranger = RemoteJob(id: 999_999, uuid: "urn:uuid:00000000-89ab-cdef-0123-456789abcdef")
        #expect(try await backend.jobStatus(stranger) == nil)
        let remote = try await deliver("ours", by: backend)
        #expect(try await ended(remote, by: backend).state == .completed)
        if remote.uuid != nil {
            let other = RemoteJob(id: remote.id, uuid: "urn:uuid:01234567-89ab-cdef-0123-456789abcdef")
            #expect(try await backend.jobStatus(other) == nil)
        }
        try await backend.cancelJob(stranger)
    }

    func beginsNumbersAnew() async throws {
        let backend = try await makeBackend()
        let before = try await deliver("before", by: backend)
        #expect(try await ended(before, by: backend).state == .completed)
        try await begin(.numbersBeginAnew)
        let after = try await create("after", by: backend)
        #expect(after.id <= before.id, "the job numbers start again")
        #expect(after.uuid != before.uuid)
        #expect(try await backend.jobStatus(before) == nil)
        try await backend.sendDocument(document(pages: 3), format: format, to: after)
        #expect(try await ended(after, by: backend).state == .completed)
        #expect(try await backend.jobStatus(before) == nil)
        try await expectPaper(["before": [3], "after": [3]])
    }

    func refusesDocument() async throws {
        let backend = try await makeBackend()
        let remote = try await create("strange", by: backend)
        try await begin(.documentRefused)
        let error = await failure {
            try await backend.sendDocument(document(pages: 3), format: format, to: remote)
        }
        #expect(error?.code == .refused && error?.mayHaveBeenReceived == false)
        try await end(.documentRefused)
        try await backend.cancelJob(remote)
        #expect(try await paper().isEmpty)
    }

    func crashesBetweenSteps() async throws {
        let remote = try await create("steady", by: makeBackend())
        let found = try #require(try await makeBackend().jobStatus(remote))
        #expect(!found.state.isTerminal)
        try await makeBackend().sendDocument(document(pages: 3), format: format, to: remote)
        #expect(try await makeBackend().jobStatus(remote) != nil)
        #expect(try await ended(remote, by: makeBackend()).state == .completed)
        #expect(try await makeBackend().jobStatus(remote)?.state == .completed)
        try await expectPaper(["steady": [3]])
    }

    func waitsForNews() async throws {
        let backend = try await makeBackend()
        try await begin(.stopsAtSecondSide)
        let remote = try await deliver("watched", by: backend)
        _ = try await status(of: remote, by: backend) { $0.state == .processingStopped }
        let waiting = Task {
            while true {
                _ = try await backend.waitForNews(of: remote, orAfter: .milliseconds(300), by: ContinuousClock())
            }
        }
        // A canceled task stops at once, whatever the printer does.
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await end(.stopsAtSecondSide)
        while let status = try await backend.jobStatus(remote), !status.state.isTerminal {
            _ = try await backend.waitForNews(of: remote, orAfter: .milliseconds(300), by: ContinuousClock())
        }
        try await expectPaper(["watched": [3]])
    }
}

extension BackendError {
    /// Whether the request can succeed later, which is required of all temporary errors.
    package var isTransient: Bool { code == .unreachable || code == .busy || awaitsPerson }
}
