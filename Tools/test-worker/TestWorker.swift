// Runs a test worker whose documents contain commands, one in each line.

import PrintModel
import WorkerProcess

@main
enum TestWorker {
    static func main() {
        WorkerLoop(worker: ObedientWorker()).run()
    }
}
