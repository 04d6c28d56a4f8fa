// The process that reads documents from anywhere: it shuts itself in before it opens one.

import PrintDocuments
import WorkerProcess

@main
enum PrintWorker {
    static func main() { WorkerLoop(worker: DocumentWorker(), review: DocumentWorker.marginNotices).run() }
}
