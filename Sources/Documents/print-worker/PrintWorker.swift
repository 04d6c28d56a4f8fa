// The worker process, which enters a sandbox before it opens an untrusted document.

import PrintDocuments
import PrintModel
import WorkerProcess

@main
enum PrintWorker {
    static func main() {
        WorkerLoop(
            worker: DocumentWorker(), converter: DocumentConverters(), review: DocumentWorker.marginNotices,
            viewer: { (request) throws(WorkError) in
                let (pages, answer) = try DocumentWorker.view(request)
                return DocumentView(pages: pages, answer: answer)
            },
            warmUp: DocumentWorker.warmUp
        ).run()
    }
}
