// Papers as `media-col` values.

package import IPP
package import PrintModel

extension PrintPaper {
    /// Returns the paper as a `media-col` value (PWG 5100.7 §6.3): size, margins and type.
    ///
    /// - Parameter source: The tray of the paper (`media-source`), or `nil` to omit the tray.
    package func mediaCol(source: String? = nil) -> IPP.Collection {
        var members: [Attribute] = [
            Attribute("media-key", .keyword(key)),
            Attribute("media-size", .collection(media.mediaSize)),
            Attribute("media-size-name", .keyword(media.name)),
        ]
        members += margins.mediaCol
        if let type { members.append(Attribute("media-type", .keyword(type))) }
        if let source { members.append(Attribute("media-source", .keyword(source))) }
        return IPP.Collection(members)
    }

    /// Returns the paper as a `media-col` value with its tray and type.
    ///
    /// The value `auto` means an unknown tray or type.
    ///
    /// - Parameter source: The tray of the paper (`media-source`).
    package func readyMediaCol(source: String = "auto") -> IPP.Collection {
        var collection = mediaCol(source: source)
        if type == nil { collection["media-type"] = Attribute("media-type", .keyword("auto")) }
        return collection
    }

    /// The name of this paper (`media-key`).
    ///
    /// The name consists of the medium, the paper type, and a suffix for borderless paper.
    private var key: String {
        [media.name, type, isBorderless ? "borderless" : nil].compactMap { $0 }.joined(separator: "_")
    }

    /// Returns `nil` if the value has no valid size.
    package init?(mediaCol: IPP.Collection) {
        guard let media = Media(mediaCol: mediaCol) else { return nil }
        let type = mediaCol.string("media-type")
        self.init(media: media, margins: Margins(mediaCol: mediaCol), type: type == "auto" ? nil : type)
    }
}

extension Margins {
    /// The margins as members of a `media-col` value (PWG 5100.7 §6.3.1).
    var mediaCol: [Attribute] {
        [
            Attribute("media-top-margin", .integer(top.ipp)), Attribute("media-left-margin", .integer(left.ipp)),
            Attribute("media-right-margin", .integer(right.ipp)),
            Attribute("media-bottom-margin", .integer(bottom.ipp)),
        ]
    }

    /// Missing and invalid margins are 0.
    init(mediaCol: IPP.Collection) {
        func margin(_ name: String) -> Length { Length(hundredths: max(0, Int(mediaCol.integer(name) ?? 0))) }
        self.init(
            top: margin("media-top-margin"), left: margin("media-left-margin"),
            bottom: margin("media-bottom-margin"), right: margin("media-right-margin"))
    }
}

extension Media {
    /// The size as a `media-size` value: `x-dimension` and `y-dimension` in hundredths of a millimeter.
    package var mediaSize: IPP.Collection {
        IPP.Collection([
            Attribute("x-dimension", .integer(width.ipp)), Attribute("y-dimension", .integer(height.ipp)),
        ])
    }

    /// Creates a medium from the size, the name, or both in a `media-col` value.
    ///
    /// Returns `nil` if the size is out of range, or if the value has neither a size nor a valid name.
    package init?(mediaCol: IPP.Collection) {
        if let size = mediaCol.collection("media-size"), let width = size.integer("x-dimension"),
            let height = size.integer("y-dimension")
        {
            let limits: ClosedRange<Int32> = 1...1_000_000
            guard limits.contains(width), limits.contains(height) else { return nil }
            let (width, height) = (Length(hundredths: Int(width)), Length(hundredths: Int(height)))
            // A nonstandard size keeps the printer's name, because the names of custom sizes contain only the size.
            let named = mediaCol.string("media-size-name").flatMap(Media.init(named:))
            self =
                .standard(width: width, height: height)
                ?? named.flatMap { $0.hasSameSize(as: .custom(width: width, height: height)) ? $0 : nil }
                ?? .custom(width: width, height: height)
        } else if let name = mediaCol.string("media-size-name"), let media = Media(named: name) {
            self = media
        } else {
            return nil
        }
    }
}

extension Length {
    /// The length in hundredths of a millimeter as an IPP integer.
    var ipp: Int32 { Int32(clamping: hundredths) }
}
