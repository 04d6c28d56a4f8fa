// The step of the tutorial "Print a first page" that prints through the queue.

import PrintKit
import PrintSubmission

@MainActor func firstPage3() async throws {
    let controller = PrintInteractionController.shared
    controller.destination = SpoolerDestination()
    controller.printInfo.jobName = "Letter"
    controller.printFormatter = SimpleTextPrintFormatter(text: "Dear reader,\nthis is paper.")
    let printer = try await controller.printer(named: "color-laser")
    let job = try await controller.submit(to: printer)
    print("job \(job.number ?? 0) is in the queue")
    print(try await job.wait() == .completed ? "printed" : "canceled")
}
