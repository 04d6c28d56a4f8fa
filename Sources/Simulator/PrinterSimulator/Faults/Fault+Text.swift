// Parses and formats faults.

import PrintModel

extension Fault: CustomStringConvertible {
    /// Parses a fault: `WHAT [at [job N] [page N] | at [OPERATION] [byte N]] [after N seconds] [with chance N%]
    /// [until cleared | for N seconds | N times]`.
    ///
    /// - Throws: `badFault`, with the invalid word and the valid syntax.
    package init(_ text: String) throws(SimulatorError) {
        var words = FaultWords(text)
        kind = try words.kind()
        start = Start()
        var said: End?
        while let word = words.next() {
            switch word {
            case "at": try words.start(&start)
            case "after":
                let seconds = try words.seconds(after: "after")
                try words.set(&start.after, seconds, "after N seconds")
            case "with":
                guard words.next() == "chance" else { throw words.wrong("expected 'chance N%' after 'with'") }
                let chance = try words.chance()
                try words.set(&start.chance, chance, "with chance N%")
            case "until":
                guard words.next() == "cleared" else { throw words.wrong("expected 'cleared' after 'until'") }
                try words.set(&said, .cleared, "the end")
            case "for":
                let seconds = try words.seconds(after: "for")
                try words.set(&said, .seconds(seconds), "the end")
            case "once": try words.set(&said, .times(1), "the end")
            default:
                let isCounted = ["time", "times"].contains(words.next())
                if isCounted, Int(word) == 0 { throw words.wrong("the number of times must be at least 1, not 0") }
                guard isCounted, let count = Int(word), count > 0 else {
                    throw words.wrong(
                        "unknown word '\(word)'; use 'at', 'after N seconds', 'with chance', 'until cleared', "
                            + "'for N seconds' or 'N times'"
                    )
                }
                try words.set(&said, .times(count), "the end")
            }
        }
        end = said ?? (kind == .crash ? .seconds(0) : .cleared)
        try words.check(self)
    }

    /// The text of the fault in the syntax that `init(_:)` parses.
    package var description: String {
        var words: [String] = []
        switch kind {
        case .slow(let factor): words.append("slow x\(Self.text(factor))")
        case .answer(.status(let status)): words.append("status \(status)")
        case .answer(.http(let status)): words.append("http \(status)")
        case .answer(.trickle(let rate)): words.append("trickle \(rate)")
        case .wrongSize(let media): words += [name] + (media.map { [$0.name] } ?? [])
        default: words.append(name)
        }
        if start.job != nil || start.page != nil || start.operation != nil || start.byte != nil { words.append("at") }
        if let job = start.job { words.append("job \(job)") }
        if let page = start.page { words.append("page \(page)") }
        if let operation = start.operation { words.append(operation) }
        if let byte = start.byte { words.append("byte \(byte)") }
        if let after = start.after { words.append("after \(Self.seconds(after))") }
        if let chance = start.chance { words.append("with chance \(Self.text((chance * 1e14).rounded() / 1e12))%") }
        switch end {
        case .cleared: words.append("until cleared")
        case .seconds(let seconds): words.append("for \(Self.seconds(seconds))")
        case .times(let count): words.append(count == 1 ? "once" : "\(count) times")
        }
        return words.joined(separator: " ")
    }

    private static func seconds(_ count: Double) -> String { count == 1 ? "1 second" : "\(text(count)) seconds" }

    private static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    }
}

private struct FaultWords {
    private let text: String
    private var words: ArraySlice<String>

    init(_ text: String) {
        self.text = text
        words = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
    }

    mutating func next() -> String? { words.popFirst() }

    func wrong(_ problem: String) -> SimulatorError {
        SimulatorError(.badFault, "invalid fault '\(text)': \(problem)")
    }

    /// Throws an error if the text contains this part twice.
    func set<Value>(_ value: inout Value?, _ new: Value, _ what: String) throws(SimulatorError) {
        guard value == nil else { throw wrong("\(what) occurs twice") }
        value = new
    }

    mutating func kind() throws(SimulatorError) -> Fault.Kind {
        guard let word = next() else { throw wrong("the text is empty; write a fault such as 'media-jam'") }
        if Fault.stops[word] != nil { return .stop(word) }
        if Fault.warnings.contains(word) { return .warning(word) }
        if let fault = HandshakeFault(rawValue: word) { return .answer(.handshake(fault)) }
        if let fault = AnswerFault.withoutArgument.first(where: { $0.name == word }) { return .answer(fault) }
        switch word {
        case "crash": return .crash
        case "media-wrong-size":
            guard let word = words.first, let media = Media(named: word) else { return .wrongSize(nil) }
            words.removeFirst()
            return .wrongSize(media)
        case "busy": return .answer(.status("server-error-busy"))
        case "trickle":
            guard let rate = next().flatMap({ Int($0) }), (1...1_000_000_000).contains(rate) else {
                throw wrong("expected a number of bytes per second after 'trickle'")
            }
            return .answer(.trickle(rate))
        case "slow":
            guard let factor = next(), let first = factor.first, "x×".contains(first),
                let times = Double(String(factor.dropFirst())), (1...10_000).contains(times)
            else { throw wrong("expected a factor from x1 to x10000 after 'slow'") }
            return .slow(times)
        case "status":
            guard let status = next(), status.hasPrefix("client-error-") || status.hasPrefix("server-error-") else {
                throw wrong("expected an IPP status such as server-error-busy after 'status'")
            }
            return .answer(.status(status))
        case "http":
            guard let status = next().flatMap({ Int($0) }), (400...599).contains(status) else {
                throw wrong("expected an HTTP status from 400 to 599 after 'http'")
            }
            return .answer(.http(status))
        default:
            let known = Fault.names.map(\.name)
            let nearest = NearestName.suggestion(for: word, in: known)
            throw wrong(
                "unknown fault '\(word)'"
                    + (nearest.isEmpty ? "; known faults: \(known.joined(separator: ", "))" : nearest))
        }
    }

    mutating func start(_ start: inout Fault.Start) throws(SimulatorError) {
        guard let word = next() else { throw wrong("expected 'job N', 'page N', 'byte N' or an operation after 'at'") }
        switch word {
        case "job":
            let job = Int(try number(in: 1...Double(Int32.max)))
            try set(&start.job, job, "'job N'")
            if words.first == "page" { try self.start(&start) }
        case "page":
            let page = Int(try number(in: 1...Double(Int32.max)))
            try set(&start.page, page, "'page N'")
        case "byte":
            let byte = Int(try number(in: 0...1e15))
            try set(&start.byte, byte, "'byte N'")
        default:
            guard word.contains("-"), word.first?.isUppercase == true else {
                throw wrong(
                    "'\(word)' cannot follow 'at'; use 'job N', 'page N', 'byte N' or an operation such as Create-Job")
            }
            guard Fault.operations.contains(word) else {
                throw wrong(
                    "unknown operation '\(word)'; use an operation from operations-supported, such as Print-Job, "
                        + "Create-Job, Send-Document or Get-Jobs")
            }
            try set(&start.operation, word, "the operation")
            if words.first == "byte" { try self.start(&start) }
        }
    }

    mutating func chance() throws(SimulatorError) -> Double {
        guard let word = next(), word.hasSuffix("%"), let percent = Double(String(word.dropLast())),
            percent > 0, percent <= 100
        else { throw wrong("the chance must be above 0% and at most 100%") }
        return percent / 100
    }

    mutating func number(in range: ClosedRange<Double>) throws(SimulatorError) -> Double {
        let bounds = "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        guard let word = next() else { throw wrong("\(bounds) is missing") }
        guard let number = Double(word), range.contains(number) else { throw wrong("'\(word)' is not \(bounds)") }
        return number
    }

    mutating func seconds(after word: String) throws(SimulatorError) -> Double {
        let seconds = try number(in: 0...1_000_000)
        guard ["s", "second", "seconds"].contains(next()) else {
            throw wrong("expected a number and 'seconds' after '\(word)'")
        }
        return seconds
    }

    func check(_ fault: Fault) throws(SimulatorError) {
        guard fault.start.byte == nil || [.answer(.drop), .answer(.reset)].contains(fault.kind) else {
            throw wrong("only 'drop' and 'reset' can start at a byte")
        }
        if case .answer(.handshake) = fault.kind, fault.start.operation != nil {
            throw wrong("a handshake fault cannot start at an operation")
        }
        if case .answer = fault.kind {
            guard fault.start.page == nil, fault.start.job == nil else {
                throw wrong("this fault cannot start at a job or page")
            }
            return
        }
        guard fault.start.operation == nil else {
            throw wrong("this fault can start at a job or page, not at an operation")
        }
        if case .times = fault.end {
            throw wrong("this fault cannot end after a number of requests; use 'until cleared' or 'for N seconds'")
        }
    }
}
