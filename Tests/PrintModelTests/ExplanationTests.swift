import PrintModel
import Testing

struct ExplanationTests {
    private func job(_ state: JobState) -> Job {
        Job(id: 3, uuid: "urn:uuid:3", printer: "laser", owner: "ann", name: "x", state: state, createdAt: 0)
    }

    @Test func `a job of a paused printer says how to go on`() {
        let printer = Printer(name: "laser", deviceURI: "printsim:laser", isPaused: true)
        let words = job(.pending).explanation(
            in: JobSurroundings(printer: printer, status: nil, jobsAhead: 0, now: 0))
        #expect(words == "Job 3 waits because laser is paused; it goes on with 'printq printers resume laser'.")
    }
}
