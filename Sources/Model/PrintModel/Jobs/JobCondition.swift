// Defines the condition of a job: why the job has its state, and how a person can change the state.

/// The phase of a job, the cause of the phase, and the remedies that a person can apply.
///
/// `printd` creates the condition of a job with `Job.condition(in:)`, and sends the condition to its clients.
/// Sentences, commands and buttons are functions of the condition. `explanation(at:)` returns the English sentences.
public struct JobCondition: Hashable, Sendable {
    /// The number of the job.
    public var job: Int
    /// The name of the job's printer.
    public var printer: String
    /// The phase of the job.
    public var phase: JobPhase
    /// The cause of the phase.
    public var cause: Cause
    /// The host that drives the printer, or the reason why no host drives the printer.
    ///
    /// The value is nil if the queue is not shared, or if the host does not affect the job in its phase.
    public var driver: PrinterDriver?
    /// The remedies that a person can apply, the most useful remedy first.
    public var remedies: [Remedy]

    package init(
        job: Int, printer: String, phase: JobPhase, cause: Cause, driver: PrinterDriver? = nil,
        remedies: [Remedy] = []
    ) {
        (self.job, self.printer, self.phase, self.cause) = (job, printer, phase, cause)
        (self.driver, self.remedies) = (driver, remedies)
    }

    /// The cause of a job's phase.
    ///
    /// Each `message` is text of the printer or of the job's last event, without a fixed format. The text can be empty.
    public indirect enum Cause: Hashable, Sendable {
        case printerRemoved
        /// The queue prints in strict order, and this earlier job has not ended.
        case strictOrder(behind: JobCondition)
        /// The printer is paused. The message is the reason for the pause.
        case paused(message: String)
        /// No host drives the printer; `driver` contains the reason.
        case noHost
        /// The printer aborted the job during printing. At the given time, the job continues at the given place.
        case interrupted(message: String, at: UnixTime, from: ResumePlace)
        /// The delivery failed before the printer printed a page. The attempt with the given number starts at the given
        /// time.
        case undelivered(message: String, at: UnixTime, attempt: Int)
        /// The preparation takes long, and the printer prints jobs of other users.
        case overtaken
        /// The job waits for its turn. `ahead` is the number of jobs before this job.
        case queued(ahead: Int, turns: FairQueue.JobsAhead?, trouble: PrinterTrouble?, from: ResumePlace?)
        case documentsMissing
        /// A user holds the job, until the given time or until the release of the job.
        case held(until: UnixTime?)
        /// The job waits for its password until the given time, and then ends. After three wrong passwords, the job is
        /// locked: only the owner and administrators can release the job.
        case password(until: UnixTime, isLocked: Bool)
        /// A person must decide how the job continues. The message contains the commands that continue the job.
        case suspended(message: String)
        /// The job is being canceled. The message is the reason why the printer has not stopped the job yet; nil if the
        /// printer is stopping the job.
        case canceling(message: String?)
        case printerStopped(message: String)
        /// The job is in progress. The step is nil if the message describes no step.
        case inProgress(Step?, message: String)
        case canceled(by: Canceler, message: String)
        /// The job was aborted. The reasons are keywords of `job-state-reasons`.
        case failed(message: String, reasons: [String])
        case completed(Amount, message: String)
    }

    /// A step in the processing of a job.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        case preparing, sending, printing
    }

    /// A problem of the printer of a waiting job.
    public enum PrinterTrouble: Hashable, Sendable {
        case unreachable
        /// The printer has stopped. The reasons are keywords of `printer-state-reasons`.
        case stopped(message: String, reasons: [String])
    }

    /// The person who canceled a job.
    public enum Canceler: String, Hashable, Sendable, CaseIterable {
        case owner, administrator
        case printer
    }

    /// The amount of printed paper.
    public struct Amount: Hashable, Sendable {
        /// The number of document pages in each copy.
        public var pages: Int
        /// The number of copies.
        public var copies: Int
        /// The number of sheets of all copies.
        public var sheets: Int

        package init(pages: Int, copies: Int, sheets: Int) {
            (self.pages, self.copies, self.sheets) = (pages, copies, sheets)
        }
    }

    /// A remedy that a person can apply, with the objects on which the remedy acts.
    public enum Remedy: Hashable, Sendable {
        case cancel(job: Int)
        case release(job: Int)
        case resume(job: Int, Continuation)
        case reprint(job: Int)
        case resumePrinter(String)
        case addPrinter(String)
        case resumeHost(String)
        case startHost([String])

        /// The number of the job on which the remedy acts; nil for a remedy that acts on a printer or a host.
        public var job: Int? {
            switch self {
            case .cancel(let job), .release(let job), .resume(let job, _), .reprint(let job): job
            case .resumePrinter, .addPrinter, .resumeHost, .startHost: nil
            }
        }
    }

    /// The page at which a suspended job can continue.
    public enum Continuation: Hashable, Sendable {
        /// No page was printed: a person must choose the page.
        case choice
        /// The first page, or the first side, that the printer did not report as printed.
        case next(ResumePlace.Unit, Int)
        /// All pages were printed: a person can choose a page from which the job is printed again.
        case again
    }
}
