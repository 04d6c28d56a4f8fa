// Tests the conversion between jobs and IPP job attributes.

import IPP
import PrintIPP
import PrintModel
import Testing

struct JobIPPTests {
    private func attributes(_ job: Job, now: UnixTime = 2000) -> [Attribute] {
        let owner = Requester.kernel(LocalUser(name: job.owner))
        return VisibleJob(job, to: owner, by: .getJobAttributes).attributes(
            .all, printerURI: "ipp://h/printers/office", jobURI: "ipp://h/jobs/1", now: now)
    }

    @Test(arguments: JobState.allCases)
    func `the value of job-state is the IPP number of the state, and a job without reasons has the reason 'none'`(
        state: JobState
    ) {
        let shown = attributes(.sample(state: state))
        #expect(shown["job-state"]?.values == [.enumeration(Int32(state.rawValue))])
        #expect(shown["job-state-reasons"]?.values == [.keyword("none")])
        #expect(!shown.contains { $0.values.isEmpty })
        #expect(Set(shown.map(\.name)).count == shown.count)
    }

    @Test func `times and counts without a value are encoded as 'no-value'`() {
        let shown = attributes(.sample())
        for name in ["time-at-processing", "time-at-completed", "date-time-at-processing", "date-time-at-completed"] {
            #expect(shown[name]?.values == [.outOfBand(.noValue)])
        }
        #expect(shown["job-impressions"]?.values == [.outOfBand(.noValue)])
        #expect(shown["job-media-sheets"]?.values == [.outOfBand(.noValue)])
        #expect(shown["time-at-creation"]?.values == [.integer(1000)])
    }

    @Test func `the attributes of an ended job include the times, page counts and document sizes`() {
        var job = Job.sample(state: .completed, reasons: [.jobCompletedSuccessfully])
        (job.processingAt, job.completedAt, job.impressions, job.sheets) = (1100, 1200, 4, 2)
        job.documents = [JobDocument(number: 1, name: "a.pdf", format: .pdf, bytes: 1025)]
        let shown = attributes(job)
        #expect(shown["time-at-completed"]?.values == [.integer(1200)])
        #expect(shown["date-time-at-completed"]?.values == [.dateTime(DateTime(unixTime: 1200))])
        #expect(shown["job-impressions"]?.values == [.integer(4)])
        #expect(shown["job-k-octets"]?.values == [.integer(2)])
        #expect(shown["document-format"]?.values == [.mimeMediaType("application/pdf")])
    }

    @Test func `the attributes of a held job include the end time of the hold`() {
        var job = Job.sample(state: .pendingHeld, reasons: [.jobHoldUntilSpecified])
        #expect(attributes(job)["job-hold-until"]?.values == [.keyword("indefinite")])
        job.heldUntil = 5000.5
        #expect(attributes(job)["job-hold-until-time"]?.values == [.dateTime(DateTime(unixTime: 5001))])
        #expect(attributes(.sample())["job-hold-until"]?.values == [.keyword("no-hold")])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e19])
    func `if a time cannot be represented as an IPP date, the nearest valid time is used`(time: Double) {
        var job = Job.sample(state: .pendingHeld, reasons: [.jobHoldUntilSpecified])
        (job.createdAt, job.processingAt, job.heldUntil, job.completedAt) = (time, time, time, time)
        let shown = attributes(job, now: time)
        #expect(shown["time-at-creation"]?.intValue != nil)
        #expect(shown["job-hold-until-time"]?.dateTimeValue?.isValid == true)
    }

    @Test func `the job attributes from a printer are read, and invalid values are ignored`() {
        let status = RemoteJobStatus(
            attributes: AttributeGroup(
                .job,
                [
                    Attribute("job-state", .enumeration(5)),
                    Attribute("job-state-reasons", .keyword("none"), .keyword("job-printing")),
                    Attribute("job-impressions-completed", .integer(-3)),
                ]))
        #expect(status?.state == .processing)
        #expect(status?.reasons == [.jobPrinting])
        #expect(status?.impressionsCompleted == 0)
        #expect(RemoteJobStatus(attributes: AttributeGroup(.job, [Attribute("job-state", .enumeration(99))])) == nil)
        #expect(RemoteJobStatus(attributes: AttributeGroup(.job)) == nil)
    }

    @Test func `a missing page count of a printer is read as 0 if the job has not started, and otherwise as nil`() {
        func status(_ begun: Value?) -> RemoteJobStatus? {
            RemoteJobStatus(
                attributes: AttributeGroup(
                    .job,
                    [Attribute("job-state", .enumeration(7))]
                        + (begun.map { [Attribute("time-at-processing", $0)] } ?? [])))
        }
        #expect(status(.outOfBand(.noValue))?.impressionsCompleted == 0)
        #expect(status(.integer(90))?.impressionsCompleted == .some(nil))
        #expect(status(nil)?.impressionsCompleted == .some(nil))
    }
}
