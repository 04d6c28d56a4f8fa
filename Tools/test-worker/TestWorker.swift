// A worker whose documents say what it shall try: each line of the text is one thing to do.

import PrintModel
import WorkerProcess

@main
enum TestWorker {
    static func main() {
        WorkerLoop(worker: ObedientWorker()).run()
    }
}
