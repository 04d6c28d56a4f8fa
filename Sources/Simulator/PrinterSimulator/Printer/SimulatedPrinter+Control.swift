// Controls a printer: pause, administration, paper, supplies, stop conditions.

package import PrintModel

extension SimulatedPrinter {
    /// Pauses the printer at the next side (IPP Pause-Printer).
    ///
    /// The printer stays paused even if the printer is switched off and on.
    package func pause() {
        memory.isPaused = true
        stateChanged()
    }

    /// Resumes a paused printer (IPP Resume-Printer).
    package func resume() {
        memory.isPaused = false
        stateChanged()
    }

    /// Sets whether the printer accepts new jobs (IPP Enable-Printer, Disable-Printer).
    ///
    /// The setting remains after the printer is switched off and on. The printer still prints accepted jobs.
    package func setAccepting(_ isAccepting: Bool) {
        memory.isDisabled = !isAccepting
        stateChanged()
    }

    /// Changes the printer's administrative attributes (IPP Set-Printer-Attributes).
    ///
    /// An empty value resets an attribute.
    ///
    /// - Throws: `fileSystem` when the settings cannot be stored.
    package func set(_ settings: [String: String]) throws(SimulatorError) {
        memory.settings.merge(settings) { $1 }
        memory.settings = memory.settings.filter { !$0.value.isEmpty }
        memory.configurationChangedAt = environment.now()
        try folder.remember(memory)
        note(
            JobEvent(
                sequence: 0, jobID: nil, printer: description.name, time: 0, kind: "printer-config-changed", state: nil,
                message: "", printerState: status.printer.state, reasons: status.printer.reasons))
        tell(.printerChanged)
    }

    /// The new paper replaces the old contents of the tray.
    ///
    /// - Parameters:
    ///   - sheets: The number of sheets in the tray afterwards, or the length of a roll in millimeters; nil fills the
    ///     tray.
    ///   - media: The size, or the width of a roll; nil keeps the size.
    ///   - type: The type of the paper; nil keeps the type.
    ///   - isAnySize: Whether the tray supplies every size from now on, with the type from the printer file.
    ///   - isEndless: Whether the tray never runs empty from now on.
    /// - Throws: `noSuchPart` when the tray, the type or the size does not exist; `notPossible` when the tray cannot
    ///   hold the amount.
    package func load(
        tray name: String, sheets: Int? = nil, media: Media? = nil, type: String? = nil, isAnySize: Bool = false,
        isEndless: Bool = false
    ) throws(SimulatorError) {
        guard let tray = description.trays.first(where: { $0.name == name }) else {
            throw noSuchPart("tray", name, description.trays.map(\.name))
        }
        if let type, !description.papers.contains(where: { $0.type == type }) {
            let types = Set(description.papers.compactMap(\.type)).sorted()
            throw noSuchPart("paper type", type, types.isEmpty ? ["none"] : types)
        }
        try check(tray, sheets: sheets, media: media, isAnySize: isAnySize)
        if isAnySize { memory.stock.makeAnySized(tray) }
        memory.stock.load(tray, sheets: sheets, media: media, type: type)
        if isEndless { memory.stock.makeEndless(tray) }
        endFaults(["media-empty", "media-low", "media-needed", "media-wrong-size"])
    }

    private func check(
        _ tray: SimulatedPrinterDescription.Tray, sheets: Int?, media: Media?, isAnySize: Bool
    ) throws(SimulatorError) {
        let unit = tray.rollWidth == nil ? "sheets" : "millimeters"
        if let sheets, sheets > tray.capacity {
            throw SimulatorError(
                .notPossible, "tray '\(tray.name)' holds at most \(tray.capacity) \(unit), not \(sheets)")
        }
        if isAnySize, tray.rollWidth != nil {
            throw SimulatorError(
                .notPossible, "tray '\(tray.name)' holds a roll; give the width of the roll, such as 62mm, not 'any'")
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
            throw noSuchPart("roll with the width", "\(media.width.millimeters) mm", (range ?? []) + widths)
        }
        guard !sizes.contains(where: media.hasSameSize), description.customMedia?.contains(media) != true else {
            return
        }
        throw noSuchPart("paper size", media.localizedName, Set(sizes.map(\.localizedName)).sorted())
    }

    package func replace(supply name: String) throws(SimulatorError) {
        guard let supply = description.supplies.first(where: { $0.name == name }) else {
            throw noSuchPart("supply", name, description.supplies.map(\.name))
        }
        memory.stock.replace(supply)
        endFaults(["toner-empty", "toner-low", "marker-supply-empty", "marker-supply-low"])
    }

    /// Sets the level of a supply, in percent.
    package func set(supply name: String, level: Double) throws(SimulatorError) {
        guard let supply = description.supplies.first(where: { $0.name == name }) else {
            throw noSuchPart("supply", name, description.supplies.map(\.name))
        }
        memory.stock.set(supply, level: level)
        stateChanged()
    }

    /// Identifies the printer to people by a line in `printer.log` (IPP Identify-Printer).
    ///
    /// - Throws: `fileSystem`.
    package func identify(message: String) throws(SimulatorError) {
        try folder.logIdentification(message, at: environment.now())
    }

    /// Stores the changed state of the printer, and checks whether printing can continue.
    func stateChanged() {
        remember()
        checkStop()
        tell(.printerChanged)
        wake()
    }

    /// Checks immediately whether a stop condition is resolved.
    ///
    /// Therefore the response to a command contains the new state of the printer.
    private func checkStop() {
        // Only a write shows whether the disk has space again.
        guard let stop = currentStop, stop.reason != Fault.spoolAreaFull, let job = current.flatMap({ jobs[$0.job] })
        else { return }
        currentStop = stockStop(to: job)
    }

    /// If the state cannot be stored, the printer continues with the state in memory.
    func remember() { try? folder.remember(memory) }

    private func noSuchPart(_ what: String, _ name: String, _ names: [String]) -> SimulatorError {
        SimulatorError(
            .noSuchPart,
            "printer '\(description.name)' has no \(what) '\(name)'; available: \(names.joined(separator: ", "))")
    }
}

// MARK: - Refusing connections

extension Fault {
    /// Whether the printer refuses all connections while this fault is active.
    ///
    /// A fault that affects only some requests refuses no connections, because the server must first read the requests.
    package var refusesConnections: Bool {
        guard kind == .answer(.refuse), start.operation == nil, start.chance == nil else { return false }
        if case .times = end { return false }
        return true
    }
}

package struct Refusal: Hashable, Sendable {
    package var isRefusing: Bool
    /// The sequence number of this value.
    ///
    /// A newer value has a higher number.
    package var number: Int
    /// The time in seconds until the printer starts or stops refusing connections; nil when no change is planned.
    package var seconds: Double?
}

extension SimulatedPrinter {
    package func refusal() -> Refusal {
        endDueAnswers()
        lastRefusal += 1
        let now = environment.now()
        let isRefusing = faults.armed.contains(where: \.refusesConnections)
        let moments =
            isRefusing
            ? answerEnds.filter { $0.fault.refusesConnections }.map(\.end)
            : delayed.filter { $0.fault.refusesConnections }.map(\.at)
        return Refusal(
            isRefusing: isRefusing, number: lastRefusal, seconds: moments.min().map { max(0, $0 - now) })
    }

    /// Ends the faults that refuse connections.
    ///
    /// Call this function when the duration of the faults has passed in real time. The clock of a seeded printer
    /// advances only while the printer waits.
    package func endRefusal() {
        let over = answerEnds.filter { $0.fault.refusesConnections }
        answerEnds.removeAll { $0.fault.refusesConnections }
        for (fault, _) in over { faults.remove(fault) }
        stateChanged()
    }
}
