// Submits a job without waiting for its end.

extension PrintInteractionController {
    /// Submits a job without showing options, and returns when the destination has accepted the job.
    ///
    ///     let job = try await controller.submit(to: printer, submissionID: "invoice 4711")
    ///     try await job.wait()
    ///
    /// A queue such as `SpoolerDestination` has stored the job when the method returns: the job is printed even if the
    /// program ends. Other destinations send the job in a task of this process. The delegate receives the acceptance,
    /// but no later reports (`PrintJob.reports`). Canceling the task before the acceptance cancels the job.
    ///
    /// - Parameters:
    ///   - copies: The number of copies, if the printer supports copies.
    ///   - pages: The pages to print. This parameter is ignored for `printingItems`.
    ///   - submissionID: An identifier of this submission that the program chooses, from 1 to 255 bytes. If the same
    ///     user submits the same identifier again, `SpoolerDestination` returns the job of the first submission, also
    ///     when it has ended. Therefore a program can repeat a submission whose result it does not know. The spooler
    ///     knows the identifier as long as the job is in its history.
    /// - Throws: `PrintError`: `noContent`, `unknownImageFormat`, `printingNotAvailable` or `jobFailed`. The cause is a
    ///   `CancellationError` if the task was canceled.
    public nonisolated(nonsending) func submit(
        to printer: Printer, copies: Int = 1, pages: PageRanges = .all, submissionID: String? = nil
    ) async throws(PrintError) -> PrintJob {
        var options = PrinterOptions(
            title: jobName, printers: [try await printer.contacted()], duplex: printInfo.duplex)
        (options.copies, options.pages) = (max(1, copies), pages)
        return try await submit(with: options, submissionID: submissionID)
    }

    /// Submits a job with the chosen options, and returns when the destination has accepted the job.
    ///
    /// - Parameter paper: The paper, if the paper was chosen already.
    nonisolated(nonsending) func submit(
        with options: PrinterOptions, on paper: PrintPaper? = nil, submissionID: String? = nil
    ) async throws(PrintError) -> PrintJob {
        let (content, number) = try beginJob()
        defer { endJob(number) }
        let folder = try ScratchFolder()
        guard var requests = try await makeRequests(of: content, for: options, on: paper, in: folder) else {
            throw .submissionCanceled
        }
        for index in requests.indices { requests[index].submissionID = submissionID }
        let job = try await Self.accepted(requests, by: options.printer, from: folder)
        delegate?.printInteractionController(self, didReceive: .accepted(jobID: job.number))
        return job
    }

    private static func accepted(
        _ requests: [PrintRequest], by printer: Printer, from folder: ScratchFolder
    ) async throws(PrintError) -> PrintJob {
        do {
            if requests.count == 1 {
                defer { withExtendedLifetime(folder) {} }
                return try await printer.destination.submit(requests[0], to: printer)
            }
            return try await RunningJob.start { report in
                defer { withExtendedLifetime(folder) {} }
                let ends = await printer.destination.submit(requests, to: printer) { _, news in report(news) }
                let all = try ends.map { try $0.get() }
                return all.contains(.canceled) ? .canceled : .completed
            }
        } catch is CancellationError {
            throw .submissionCanceled
        } catch {
            throw PrintError(error, while: "printing on '\(printer.displayName)'")
        }
    }
}

extension PrintError {
    fileprivate static let submissionCanceled = PrintError(
        .jobFailed, "the task was canceled before the job was submitted", cause: CancellationError())
}
