// Receives documents.

import AsyncPrimitives
import IPP
import PrintIPP
import PrintModel
import PrintSpool

extension SpoolService {
    /// Receives the data of a document, and returns its format.
    ///
    /// - Throws: `IPPFailure` if the data is incomplete, cannot be stored, is empty, or has an unsupported format. In
    ///   that case the document is deleted.
    func receive(_ document: DocumentRequest, into incoming: IncomingDocument) async throws(IPPFailure)
        -> DocumentFormat
    {
        var iterator = document.stream.makeAsyncIterator()
        guard let first = try await next(&iterator) else {
            incoming.discard()
            throw .badRequest("the document is empty; no job was created")
        }
        return try await receive(document, from: &iterator, first: first, into: incoming)
    }

    /// Receives the remaining data of a document after the first part, and returns the format of the document.
    func receive(
        _ document: DocumentRequest, from iterator: inout DocumentStream.AsyncIterator, first: ArraySlice<UInt8>,
        into incoming: IncomingDocument
    ) async throws(IPPFailure) -> DocumentFormat {
        do throws(IPPFailure) {
            var piece: ArraySlice<UInt8>? = first
            while let data = piece, incoming.fitsInMemory(adding: data.count) {
                try write(data, to: incoming)
                piece = try await next(&iterator)
            }
            if let data = piece {
                // The first bytes decide, so that an endless or very large upload is refused at its beginning.
                _ = try await format(of: document, head: incoming.head + data.prefix(1024 - incoming.head.count))
                try await receiveLarge(data, from: &iterator, into: incoming)
            }
            return try await format(of: document, head: incoming.head)
        } catch {
            if incoming.isLarge {
                await BlockingThreads.shared.run { incoming.discard() }
            } else {
                incoming.discard()
            }
            throw error
        }
    }

    /// Receives the remaining data of a large document, and writes the data to a file.
    ///
    /// Because the disk may be slow, the data is written on threads that may block.
    private func receiveLarge(
        _ first: ArraySlice<UInt8>, from iterator: inout DocumentStream.AsyncIterator, into incoming: IncomingDocument
    ) async throws(IPPFailure) {
        try await withTaskExecutorPreference(BlockingThreads.shared) { () async throws(IPPFailure) in
            try write(first, to: incoming)
            while let data = try await next(&iterator) { try write(data, to: incoming) }
        }
    }

    private func write(_ data: ArraySlice<UInt8>, to incoming: IncomingDocument) throws(IPPFailure) {
        do throws(SpoolError) { try incoming.write(data) } catch { throw IPPFailure(error) }
    }

    /// Returns the next nonempty part of the data; nil at the end of the data.
    func next(_ iterator: inout DocumentStream.AsyncIterator) async throws(IPPFailure) -> ArraySlice<UInt8>? {
        do throws(DocumentStreamError) {
            while let piece = try await iterator.next(isolation: nil) {
                if !piece.isEmpty { return piece }
            }
            return nil
        } catch {
            throw IPPFailure(error)
        }
    }

    /// Returns the format of a document from its first bytes, its name and the declared format.
    ///
    /// - Throws: `IPPFailure` if the document cannot be printed on this machine.
    private func format(of document: DocumentRequest, head: [UInt8]) async throws(IPPFailure) -> DocumentFormat {
        let types = await types()
        // A worker explains what is wrong with a document that does not have its declared format.
        if document.format != .octetStream, types.registry.type(for: document.format)?.converter == .pages {
            return document.format
        }
        do throws(WorkError) {
            return try types.format(ofHead: head, name: document.name, declared: document.format)
        } catch {
            throw IPPFailure(.clientErrorDocumentFormatNotSupported, error.message)
        }
    }
}
