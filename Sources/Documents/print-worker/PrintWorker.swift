// The worker process, which enters a sandbox before it opens an untrusted document.

import DocumentConversion
import PrintDocuments
import WorkerProcess

@main
enum PrintWorker {
    static func main() {
        WorkerLoop(
            worker: DocumentWorker(), converter: DocumentConverters(), review: DocumentWorker.marginNotices
        ).run()
    }
}
