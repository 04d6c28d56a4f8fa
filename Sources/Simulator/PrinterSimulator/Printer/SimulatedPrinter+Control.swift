// What people and control interfaces do to a printer: pause it, fill it, break it, mend it.

package import PrintModel

extension SimulatedPrinter {
    /// Stops the printer at the next side (IPP Pause-Printer); it stays paused when it is switched off and on.
    package func pause() {
        memory.isPaused = true
        seeTo()
    }

    /// Lets a paused printer go on (IPP Resume-Printer).
    package func resume() {
        memory.isPaused = false
        seeTo()
    }

    /// Has the printer take new jobs, or none (IPP Enable-Printer, Disable-Printer).
    ///
    /// It stays so when it is switched off and on; jobs that it has go on.
    package func setAccepting(_ isAccepting: Bool) {
        memory.isDisabled = !isAccepting
        seeTo()
    }

    /// Changes what an administrator calls the printer (IPP Set-Printer-Attributes); an empty value takes it back.
    ///
    /// - Throws: `fileSystem` when it cannot be remembered.
    package func set(_ settings: [String: String]) throws(SimulatorError) {
        memory.settings.merge(settings) { $1 }
        memory.settings = memory.settings.filter { !$0.value.isEmpty }
        memory.configurationChangedAt = surroundings.now()
        try folder.remember(memory)
        note(
            JobEvent(
                sequence: 0, jobID: nil, printer: description.name, time: 0, kind: "printer-config-changed", state: nil,
                message: "", printerState: status.printer.state, reasons: status.printer.reasons))
        tell(.printerChanged)
    }

    /// Puts paper into a tray: afterwards it holds that much, at most its capacity, and nothing else.
    ///
    /// - Parameters:
    ///   - sheets: how many sheets, or millimetres of a roll, are in it then; nil fills it.
    ///   - media: the size now in it, of a roll its width; nil leaves it.
    ///   - type: the type of paper now in it; nil leaves it.
    ///   - isAnySize: it has whatever size a job asks for from then on, of the type that the printer's file says.
    ///   - isEndless: it never runs empty from then on.
    /// - Throws: `noSuchPart`, also when the printer knows no such type or size; `notPossible` when the tray does not hold
    ///   so much.
    package func load(
        tray name: String, sheets: Int? = nil, media: Media? = nil, type: String? = nil, isAnySize: Bool = false,
        isEndless: Bool = false
    ) throws(SimulatorError) {
        guard let tray = description.trays.first(where: { $0.name == name }) else {
            throw noSuchPart("tray", name, description.trays.map(\.name))
        }
        if let type, !description.papers.contains(where: { $0.type == type }) {
            let types = Set(description.papers.compactMap(\.type)).sorted()
            throw noSuchPart("type of paper", type, types.isEmpty ? ["none"] : types)
        }
        try check(tray, sheets: sheets, media: media, isAnySize: isAnySize)
        if isAnySize { memory.stock.makeAnySized(tray) }
        memory.stock.load(tray, sheets: sheets, media: media, type: type)
        if isEndless { memory.stock.makeEndless(tray) }
        endFaults(["media-empty", "media-low", "media-needed", "media-wrong-size"])
        seeTo()
    }

    /// Whether that goes into a tray.
    private func check(
        _ tray: SimulatedPrinterDescription.Tray, sheets: Int?, media: Media?, isAnySize: Bool
    ) throws(SimulatorError) {
        let unit = tray.rollWidth == nil ? "sheets" : "millimetres"
        if let sheets, sheets > tray.capacity {
            throw SimulatorError(
                .notPossible, "tray '\(tray.name)' takes at most \(tray.capacity) \(unit), not \(sheets)")
        }
        if isAnySize, tray.rollWidth != nil {
            throw SimulatorError(
                .notPossible, "tray '\(tray.name)' holds a roll, which is as wide as it is; say how wide, such as 62mm")
        }
        guard let media else { return }
        let sizes = description.papers.map(\.media)
        guard tray.rollWidth == nil else {
            let fits =
                sizes.contains { abs($0.width.hundredths - media.width.hundredths) <= 50 }
                || description.customMedia?.width.contains(media.width.hundredths) == true
            guard !fits else { return }
            let widths = Set(sizes.map(\.width)).sorted().map { "\($0.millimeters) mm" }
            let range = description.customMedia.map { range in
                ["\(Double(range.width.lowerBound) / 100) to \(Double(range.width.upperBound) / 100) mm"]
            }
            throw noSuchPart("roll of width", "\(media.width.millimeters) mm", (range ?? []) + widths)
        }
        guard !sizes.contains(where: media.hasSameSize), description.customMedia?.contains(media) != true else {
            return
        }
        throw noSuchPart("size of paper", media.localizedName, Set(sizes.map(\.localizedName)).sorted())
    }

    /// Puts in a full supply.
    ///
    /// - Throws: `noSuchPart`.
    package func replace(supply name: String) throws(SimulatorError) {
        guard let supply = description.supplies.first(where: { $0.name == name }) else {
            throw noSuchPart("supply", name, description.supplies.map(\.name))
        }
        memory.stock.replace(supply)
        endFaults(["toner-empty", "toner-low", "marker-supply-empty", "marker-supply-low"])
        seeTo()
    }

    /// Sets how full a supply is, in per cent.
    ///
    /// - Throws: `noSuchPart`.
    package func set(supply name: String, level: Double) throws(SimulatorError) {
        guard let supply = description.supplies.first(where: { $0.name == name }) else {
            throw noSuchPart("supply", name, description.supplies.map(\.name))
        }
        memory.stock.set(supply, level: level)
        seeTo()
    }

    /// Makes the printer stop at the next side until the condition is cleared.
    package func raise(_ condition: StopCondition) {
        conditions.removeAll { $0.reason == condition.reason }
        conditions.append(condition)
        seeTo()
    }

    /// Takes back a condition that was raised; one that the printer found itself goes when its cause does.
    package func clear(reason: String) { clear(reason) }

    /// Makes the printer noticed (IPP Identify-Printer): a line in `printer.log`.
    ///
    /// - Throws: `fileSystem`.
    package func identify(message: String) throws(SimulatorError) {
        try folder.logIdentification(message, at: surroundings.now())
    }

    /// Remembers a change and lets the printer look again whether it can go on.
    func seeTo() {
        remember()
        lookAgain()
        tell(.printerChanged)
        ring()
    }

    /// Lets go at once of an obstacle whose cause is gone: whoever saw to it is told how the printer is then.
    private func lookAgain() {
        // Whether there is room on the disk is found out by writing.
        guard let stop = obstacle, stop.reason != Fault.spoolAreaFull, let job = current.flatMap({ jobs[$0.job] })
        else { return }
        obstacle = stockObstacle(to: job)
    }

    /// Stores the printer's memory; when that fails, the printer goes on and forgets.
    func remember() { try? folder.remember(memory) }

    private func noSuchPart(_ what: String, _ name: String, _ names: [String]) -> SimulatorError {
        SimulatorError(
            .noSuchPart,
            "printer '\(description.name)' has no \(what) '\(name)'; it has \(names.joined(separator: ", "))")
    }
}

// MARK: - Refusing

extension Fault {
    /// Whether no connection is accepted while it lasts; a fault of some requests only must read them first.
    package var refusesConnections: Bool {
        guard kind == .answer(.refuse), start.operation == nil, start.chance == nil else { return false }
        if case .times = end { return false }
        return true
    }
}

/// Whether a printer takes connections at one moment.
package struct Refusal: Hashable, Sendable {
    /// Whether it takes none.
    package var isRefusing: Bool
    /// The how many-th answer this is: of two, the one with the higher number is the newer.
    package var number: Int
    /// After how many seconds that ends or begins by itself; nil when it does not.
    package var seconds: Double?
}

extension SimulatedPrinter {
    /// Whether it takes connections now.
    package func refusal() -> Refusal {
        endDueAnswers()
        lastRefusal += 1
        let now = surroundings.now()
        let isRefusing = faults.armed.contains(where: \.refusesConnections)
        let moments =
            isRefusing
            ? answerEnds.filter { $0.fault.refusesConnections }.map(\.end)
            : delayed.filter { $0.fault.refusesConnections }.map(\.at)
        return Refusal(
            isRefusing: isRefusing, number: lastRefusal, seconds: moments.min().map { max(0, $0 - now) })
    }

    /// Ends a refusal whose seconds are over, by whichever clock they were counted.
    package func endRefusal() {
        let over = answerEnds.filter { $0.fault.refusesConnections }
        answerEnds.removeAll { $0.fault.refusesConnections }
        for (fault, _) in over { faults.remove(fault) }
        seeTo()
    }
}
