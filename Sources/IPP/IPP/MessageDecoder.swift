// Bytes to a message, all at once or as they come.

extension Message {
    /// Decodes the message at the start of some bytes (RFC 8010 §3.1).
    ///
    ///     let (request, length) = try Message.decode(body)
    ///     let document = body[length...]
    ///
    /// - Returns: The message, and how many bytes it took; a document may follow.
    /// - Throws: ``DecodingError`` when the bytes are not a message, end too early or exceed the limits.
    public static func decode(
        _ bytes: [UInt8], limits: DecodingLimits = .default
    ) throws(DecodingError) -> (message: Message, length: Int) {
        try decode(bytes[...], limits: limits)
    }

    /// Decodes the message at the start of some bytes (RFC 8010 §3.1).
    ///
    /// - Returns: The message, and how many bytes it took; a document may follow.
    /// - Throws: ``DecodingError`` when the bytes are not a message, end too early or exceed the limits.
    public static func decode(
        _ bytes: ArraySlice<UInt8>, limits: DecodingLimits = .default
    ) throws(DecodingError) -> (message: Message, length: Int) {
        var assembler = MessageAssembler(limits: limits)
        guard let message = try assembler.consume(bytes) else {
            throw .truncated(at: bytes.count)
        }
        return (message, assembler.position)
    }
}

/// Decodes a message from bytes as they come, none of them twice.
///
///     var decoder = MessageDecoder()
///     for try await chunk in body {
///         if let (message, rest) = try decoder.feed(chunk) { … }   // `rest` begins the document
///     }
///     try decoder.finish()
public struct MessageDecoder: Sendable {
    private let limits: DecodingLimits
    private var assembler: MessageAssembler
    /// The beginning of an attribute whose end has not come yet; at most some 64 KiB.
    private var pending: [UInt8] = []
    private var state = State.reading

    private enum State { case reading, done, failed(DecodingError) }

    /// A decoder of one message.
    public init(limits: DecodingLimits = .default) {
        self.limits = limits
        assembler = MessageAssembler(limits: limits)
    }

    /// Takes the next bytes, and returns the message when its last byte has come.
    ///
    /// After that the bytes belong to the document and must not be fed.
    ///
    /// - Returns: The message and the bytes of the chunk that follow it, or `nil` when more are needed.
    /// - Throws: ``DecodingError``, the same one again when fed after an error.
    public mutating func feed(
        _ chunk: ArraySlice<UInt8>
    ) throws(DecodingError) -> (message: Message, rest: ArraySlice<UInt8>)? {
        switch state {
        case .reading: break
        case .done: preconditionFailure("a MessageDecoder was fed after it had returned its message")
        case .failed(let error): throw error
        }
        do {
            return try read(chunk)
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Says that no more bytes will come.
    ///
    /// - Throws: ``DecodingError`` with `truncated` when the message has not ended, or the error met before.
    public mutating func finish() throws(DecodingError) {
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
        // What was held back was less than one item, so whatever has been consumed reaches into the chunk.
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
