// What IPP Everywhere demands of a printer, for the printers of the queue (PWG 5100.14 §5).

import IPP
public import PrintIPP
import PrintModel
import PrintScheduler
import AsyncPrimitives

extension SpoolService {
    /// Adds to a printer what follows from its device: what it takes of pixels, its device id, its supplies, and how it can
    /// be found.
    func describe(
        _ printer: inout ServedPrinter, _ row: ConfiguredPrinter, capabilities: PrinterCapabilities,
        device: PrinterStatus?
    ) {
        let pixels = Self.acceptedPixels(capabilities)
        printer.configurationChangedAt = configured.time(
            of: row.name, Configuration(row, capabilities), now: clock())
        printer.extra += pixels.attributes
        printer.extra += [
            Attribute(
                "printer-device-id",
                .text(pixels.deviceID(makeAndModel: capabilities.makeAndModel, own: capabilities.deviceID)))
        ]
        printer.extra += PrinterStatus.Supply.attributes(device?.supplies ?? [])
        guard let usual = capabilities.identifyActions.first else { return }
        printer.extra += [
            Attribute("identify-actions-supported", capabilities.identifyActions.map { .keyword($0) }),
            Attribute("identify-actions-default", .keyword(usual)),
        ]
        // Without a way to find it a printer is not one of IPP Everywhere.
        printer.isEverywhere = true
    }

    /// What the queue takes of pixels for a printer.
    ///
    /// The worker makes pages of them whatever they are. What is announced lets clients make what suits the printer: its
    /// resolutions up to 1,200 dpi, and colors only for a printer that has colors. Adobe RGB is taken and not announced,
    /// because it comes out as sRGB at printers that are sent pixels.
    private static func acceptedPixels(_ capabilities: PrinterCapabilities) -> AcceptedPixels {
        let dots = capabilities.resolutions.filter { (50...1_200).contains($0) }
        let shades = ["black_1", "black_8", "sgray_1", "sgray_8", "sgray_16"]
        let colors = ["srgb_8", "srgb_16", "rgb_8", "rgb_16", "cmyk_8", "cmyk_16"]
        return AcceptedPixels(
            formats: formats, resolutions: dots.isEmpty ? [300] : dots,
            types: shades + (capabilities.colorModes.contains(.color) ? colors : []),
            // Pages come as they are read; the backend turns backs where the printer needs that.
            sheetBack: capabilities.duplexModes.count > 1 ? .normal : nil, maxCopies: JobTicket.mostCopies,
            qualities: capabilities.qualities, largestJPEG: (kilobytes: 100 << 10, side: 65_500))
    }

    /// How long a printer that is to make itself noticed may take to answer.
    private static let identifyTime = Duration.seconds(15)

    /// Has the printer make itself noticed (Identify-Printer).
    ///
    /// The request goes to the device, which alone has a light, a display or a beeper. A device that has none, such as a
    /// folder or a queue of CUPS, is answered for with `client-error-not-possible`. PAPPL answers `successful-ok` and does
    /// nothing, which leaves the person at the printer waiting; cupsd has no such operation.
    public func identify(printer name: String, actions: [String], message: String?) async throws(IPPFailure) {
        let row = try await row(of: name)
        let known = (await directory.knownCapabilities(of: row))?.identifyActions ?? []
        guard !known.isEmpty else {
            throw .notPossible(
                "\(name) cannot make itself noticed: it has no light, display or sound that clients can use")
        }
        let others = actions.filter { !known.contains($0) }
        guard others.isEmpty else {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "\(name) can only identify itself by \(known.joined(separator: ", ")), "
                    + "not by \(others.joined(separator: ", "))",
                unsupported: [Attribute("identify-actions", others.map { .keyword($0) })])
        }
        let answer = await outcome(within: Self.identifyTime) { [directory] () async -> BackendError? in
            do {
                try await directory.backend(for: row).identify(actions: actions, message: message)
                return nil
            } catch let error as BackendError {
                return error
            } catch {
                return BackendError(.unreachable, "\(error)")
            }
        }
        guard let result = answer else {
            throw IPPFailure(.serverErrorServiceUnavailable, "\(name) does not answer; try again when it is on")
        }
        guard let failure = result else { return }
        throw IPPFailure(
            failure.code == .refused ? .serverErrorDeviceError : .serverErrorServiceUnavailable, failure.message)
    }
}

/// What makes up the configuration of a printer: what people have set, and what its device can do.
struct Configuration: Equatable {
    private var row: ConfiguredPrinter
    private var capabilities: PrinterCapabilities

    /// The configuration of a printer.
    ///
    /// Whether it is paused or takes jobs, and what paper is loaded, is its state.
    init(_ row: ConfiguredPrinter, _ capabilities: PrinterCapabilities) {
        self.row = row
        self.capabilities = capabilities
        (self.row.isPaused, self.row.pauseMessage, self.row.isAccepting) = (false, "", true)
        self.row.isDefault = false
        self.capabilities.readyPapers = []
    }
}
