// Checks that the data of a JPEG image can be decoded.

import CTurboJPEG
import PrintGraphics

/// The result of decoding a JPEG image as a check before printing.
///
/// The check decodes every coefficient, but reduces each block of 8 × 8 pixels to one pixel. Therefore the check
/// requires little time and memory.
enum JPEGCheck: Hashable {
    /// An image that the decoder can read completely.
    case whole
    /// An image that is partly missing or wrong, because the file ends too early or its data is damaged.
    case partial(cause: String)
    /// An image that the decoder cannot read.
    case unreadable(cause: String)

    /// Decodes a JPEG image to check its data.
    ///
    /// - Parameter header: The header of this image.
    init(_ image: [UInt8], _ header: JPEGHeader) {
        guard header.hasData(in: image) else {
            self = .unreadable(cause: "the file has no image data")
            return
        }
        switch Self.decode(image, stopsOnWarning: true) {
        case .fine: self = .whole
        case .failed(let cause): self = .unreadable(cause: cause)
        case .warned(let cause):
            // Some cameras and programs omit the end marker. Without it, libjpeg warns even when no pixel is missing.
            let isWhole = header.isSingleScan && Self.decode(image + [0xFF, 0xD9], stopsOnWarning: true) == .fine
            guard !isWhole, !Self.isHarmless(cause) else {
                self = .whole
                return
            }
            // A warning may be followed by an error that leaves no image.
            if case .failed(let cause) = Self.decode(image, stopsOnWarning: false) {
                self = .unreadable(cause: cause)
            } else {
                self = .partial(cause: cause)
            }
        }
    }

    private enum Outcome: Equatable { case fine, warned(String), failed(String) }

    /// Decodes a JPEG image at an eighth of its size.
    private static func decode(_ image: [UInt8], stopsOnWarning: Bool) -> Outcome {
        guard let decoder = tjInitDecompress() else { return .failed("the JPEG decoder does not start") }
        defer { tjDestroy(decoder) }
        var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard tjDecompressHeader3(decoder, image, UInt(image.count), &width, &height, &sampling, &colors) == 0 else {
            return .failed(message(of: decoder))
        }
        let isInk = colors == TJCS_CMYK.rawValue || colors == TJCS_YCCK.rawValue
        let (reducedWidth, reducedHeight) = ((Int(width) + 7) / 8, (Int(height) + 7) / 8)
        var pixels = [UInt8](repeating: 0, count: reducedWidth * reducedHeight * (isInk ? 4 : 1))
        let result = tjDecompress2(
            decoder, image, UInt(image.count), &pixels, Int32(reducedWidth), 0, Int32(reducedHeight),
            Int32(isInk ? TJPF_CMYK.rawValue : TJPF_GRAY.rawValue),
            // An image with very many scans would take hours.
            TJFLAG_LIMITSCANS | (stopsOnWarning ? TJFLAG_STOPONWARNING : 0))
        guard result != 0 else { return .fine }
        let cause = message(of: decoder)
        return tjGetErrorCode(decoder) == Int32(bitPattern: TJERR_WARNING.rawValue) ? .warned(cause) : .failed(cause)
    }

    private static func message(of decoder: tjhandle) -> String { String(cString: tjGetErrorStr2(decoder)) }

    /// Returns whether a warning of libjpeg has no effect on the pixels.
    private static func isHarmless(_ warning: String) -> Bool {
        warning.hasSuffix("extraneous bytes before marker 0xd9") || warning.hasPrefix("Unknown Adobe color transform")
            || warning.hasPrefix("Invalid SOS parameters for sequential JPEG")
    }
}
