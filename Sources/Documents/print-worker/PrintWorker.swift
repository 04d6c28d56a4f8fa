// The worker process, which enters a sandbox before it opens an untrusted document.

import PrintDocuments
import WorkerProcess

@main
enum PrintWorker {
    static func main() { WorkerLoop(worker: DocumentWorker(), review: DocumentWorker.marginNotices).run() }
}
