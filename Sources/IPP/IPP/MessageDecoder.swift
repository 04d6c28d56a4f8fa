// Decodes messages from complete or arriving bytes.

extension Message {
    /// Decodes the message at the start of the given bytes (RFC 8010 §3.1).
    ///
    ///     let (request, length) = try Message.decode(body)
    ///     let document = body[length...]
    ///
    /// - Returns: The message and its length in bytes. A document can follow the message.
    /// - Throws: ``DecodingError`` if the bytes are not a message, are incomplete or exceed the limits.
    package static func decode(
        _ bytes: [UInt8], limits: DecodingLimits = .default
    ) throws(DecodingError) -> (message: Message, length: Int) {
        try decode(bytes[...], limits: limits)
    }

    /// Decodes the message at the start of the given bytes (RFC 8010 §3.1).
    ///
    /// - Returns: The message and its length in bytes. A document can follow the message.
    /// - Throws: ``DecodingError`` if the bytes are not a message, are incomplete or exceed the limits.
    package static func decode(
        _ bytes: ArraySlice<UInt8>, limits: DecodingLimits = .default
    ) throws(DecodingError) -> (message: Message, length: Int) {
        var assembler = MessageAssembler(limits: limits)
        guard let message = try assembler.consume(bytes) else {
            throw .truncated(at: bytes.count)
        }
        return (message, assembler.position)
    }
}

/// An incremental decoder of a message.
///
/// The decoder decodes each byte once, when the byte arrives.
///
///     var decoder = MessageDecoder()
///     for try await chunk in body {
///         if let (message, rest) = try decoder.feed(chunk) { … }   // `rest` begins the document
///     }
///     try decoder.finish()
public struct MessageDecoder: Sendable {
    private let limits: DecodingLimits
    private var assembler: MessageAssembler
    /// The received bytes of an incomplete item.
    ///
    /// An item has at most about 64 KiB.
    private var pending: [UInt8] = []
    private var state = State.reading

    private enum State { case reading, done, failed(DecodingError) }

    package init(limits: DecodingLimits = .default) {
        self.limits = limits
        assembler = MessageAssembler(limits: limits)
    }

    /// Decodes the next bytes, and returns the message when its last byte has arrived.
    ///
    /// Bytes after the message belong to the document; the caller must not pass the document to this decoder.
    ///
    /// - Returns: The message and the bytes of `chunk` that follow the message, or `nil` if the message is incomplete.
    /// - Throws: ``DecodingError`` if the bytes are not valid. Every later call throws the same error.
    package mutating func feed(
        _ chunk: ArraySlice<UInt8>
    ) throws(DecodingError) -> (message: Message, rest: ArraySlice<UInt8>)? {
        switch state {
        case .reading: break
        case .done: preconditionFailure("MessageDecoder.feed was called after the end of the message")
        case .failed(let error): throw error
        }
        do {
            return try read(chunk)
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Ends the input of the decoder.
    ///
    /// - Throws: ``DecodingError`` with the code `truncated` if the message is incomplete, or the error of an earlier
    ///   call.
    package mutating func finish() throws(DecodingError) {
        switch state {
        case .reading:
            let error = DecodingError.truncated(at: assembler.position + pending.count)
            state = .failed(error)
            throw error
        case .done: return
        case .failed(let error): throw error
        }
    }

    private mutating func read(
        _ chunk: ArraySlice<UInt8>
    ) throws(DecodingError) -> (message: Message, rest: ArraySlice<UInt8>)? {
        let start = assembler.position
        let held = pending.count
        let message: Message?
        if held == 0 {
            message = try assembler.consume(chunk)
        } else {
            pending.append(contentsOf: chunk)
            message = try assembler.consume(pending[...])
        }
        // The pending bytes were less than one item, so the consumed bytes always extend into this chunk.
        let consumed = assembler.position - start
        if let message {
            state = .done
            pending = []
            return (message, chunk.dropFirst(consumed - held))
        }
        if held == 0 {
            pending.append(contentsOf: chunk.dropFirst(consumed))
        } else if consumed > 0 {
            pending.removeFirst(consumed)
        }
        return nil
    }
}

extension DecodingError {
    fileprivate static func truncated(at offset: Int) -> DecodingError {
        DecodingError(.truncated, at: offset, "the message ends before its end-of-attributes tag")
    }
}
