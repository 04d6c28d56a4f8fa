// Defines the request to a document worker.

/// A request to a worker: `{"files":{"documents":[{"path":"/a.pdf"}]},"task":{"inspect":{}}}`.
///
/// Each worker receives only one request.
@dynamicMemberLookup
package struct WorkerRequest: Hashable, Sendable, Codable {
    /// The documents that the worker reads, and the files that it writes.
    package var files = WorkerFiles()
    package let task: Task

    /// The work on the documents of a request.
    ///
    /// The associated values contain no files; `WorkerRequest.complete(_:)` adds the files.
    package enum Task: Hashable, Sendable, Codable {
        /// Sets up the sandbox, and reports the active protections.
        case probe
        case inspect
        /// Detects the document's type from the content, the name and the declared format of the document.
        case identify
        case convert(ConvertRequest)
        /// Lays out the documents on the pages of one PDF.
        case prepare(PrepareRequest)
        case render(RenderRequest)
        case rasterize(RasterizeRequest)
        /// Opens the documents, whose pages are then drawn on command.
        case view(ViewRequest)
    }

    private init<Request: WorkerTaskRequest>(_ request: Request, _ task: (Request) -> Task) {
        files = request.workerFiles
        var rest = request
        rest.workerFiles = WorkerFiles()
        self.task = task(rest)
    }

    private init(_ task: Task, _ documents: [InputDocument] = []) {
        files = WorkerFiles(documents: documents)
        self.task = task
    }

    /// A request without documents, to test the sandbox.
    package static let probe = WorkerRequest(.probe)
    package static func inspect(_ document: InputDocument) -> Self { Self(.inspect, [document]) }
    package static func identify(_ document: InputDocument) -> Self { Self(.identify, [document]) }
    package static func convert(_ request: ConvertRequest) -> Self { Self(request, Task.convert) }
    package static func prepare(_ request: PrepareRequest) -> Self {
        var request = request
        // The layout matters only for converted documents.
        if request.documents.allSatisfy({ $0.conversion == nil }) { request.conversion = nil }
        return Self(request, Task.prepare)
    }
    package static func render(_ request: RenderRequest) -> Self { Self(request, Task.render) }
    package static func rasterize(_ request: RasterizeRequest) -> Self { Self(request, Task.rasterize) }
    package static func view(_ request: ViewRequest) -> Self { Self(request, Task.view) }

    package func complete<Request: WorkerTaskRequest>(_ request: Request) -> Request {
        var whole = request
        whole.workerFiles = files
        return whole
    }

    package subscript<Value>(dynamicMember property: KeyPath<WorkerFiles, Value>) -> Value { files[keyPath: property] }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// A request whose files are sent apart from its other properties, so that the sandbox can find and replace them.
package protocol WorkerTaskRequest: Hashable, Sendable, Codable {
    var workerFiles: WorkerFiles { get set }
}

/// The documents that a worker reads, and the files that it writes.
package struct WorkerFiles: Hashable, Sendable, Codable {
    /// The documents, in order.
    package var documents: [InputDocument] = []
    /// A folder whose files the worker reads; nil if the worker reads only the documents.
    package var inputFolder: String?
    /// The files that the worker writes; nil if it writes no files.
    package var output: Output?
    /// The printer and the owner of the job, which the worker does not receive; nil for work without a job.
    package var origin: WorkOrigin?

    private enum CodingKeys: String, CodingKey { case documents, inputFolder, output }

    package struct Output: Hashable, Sendable, Codable {
        package var folder: String
        /// The path of the main file; nil if the worker chooses the names of the files.
        package var file: String?

        package init(folder: String, file: String?) { (self.folder, self.file) = (folder, file) }

        package init(file: String) { self.init(folder: WorkerRequest.folder(of: file), file: file) }
    }

    /// The first document; a document without a path if the request contains no documents.
    package var document: InputDocument { documents.first ?? InputDocument(path: "") }

    /// The files and folders that the worker reads.
    package var inputs: [String] {
        inputFolders
            + documents.map(\.path).filter { inputFolder == nil || WorkerRequest.folder(of: $0) != inputFolder }
    }

    /// The folders whose files the worker reads.
    package var inputFolders: [String] { inputFolder.map { [$0] } ?? [] }

    /// The folders that the worker writes to.
    package var outputFolders: [String] {
        guard let output else { return [] }
        let other = output.file.map { WorkerRequest.folder(of: $0) } ?? output.folder
        return other == output.folder ? [other] : [output.folder, other]
    }

    /// Returns a copy with converted paths.
    ///
    /// - Parameters:
    ///   - input: A function that converts a document.
    ///   - other: A function that converts the path of a folder or of an output file.
    package func map<Failure: Error>(
        _ input: (InputDocument) throws(Failure) -> InputDocument, other: (String) -> String
    ) throws(Failure) -> WorkerFiles {
        var files = WorkerFiles(inputFolder: inputFolder.map(other), origin: origin)
        for document in documents { files.documents.append(try input(document)) }
        files.output = output.map { Output(folder: other($0.folder), file: $0.file.map(other)) }
        return files
    }
}
