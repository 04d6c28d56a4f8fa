// Papers as IPP writes them: `media-col` and its members.

public import IPP
public import PrintModel

extension PrintPaper {
    /// The paper as a `media-col` value (PWG 5100.7 §6.3): size, margins, type.
    ///
    /// - Parameter source: the tray it lies in (`media-source`), if that is to be said.
    public func mediaCol(source: String? = nil) -> IPP.Collection {
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

    /// The paper as a `media-col` value that says where it lies and of what type it is; `auto` for what is not known.
    ///
    /// - Parameter source: the tray it lies in (`media-source`).
    public func readyMediaCol(source: String = "auto") -> IPP.Collection {
        var collection = mediaCol(source: source)
        if type == nil { collection["media-type"] = Attribute("media-type", .keyword("auto")) }
        return collection
    }

    /// A name for this very paper (`media-key`): medium, type, borderless or not.
    private var key: String {
        [media.name, type, isBorderless ? "borderless" : nil].compactMap { $0 }.joined(separator: "_")
    }

    /// The paper that a `media-col` value describes; nil when it has no usable size.
    public init?(mediaCol: IPP.Collection) {
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

    /// The margins that a `media-col` value says; 0 for those that it does not, or says badly.
    init(mediaCol: IPP.Collection) {
        func margin(_ name: String) -> Length { Length(hundredths: max(0, Int(mediaCol.integer(name) ?? 0))) }
        self.init(
            top: margin("media-top-margin"), left: margin("media-left-margin"),
            bottom: margin("media-bottom-margin"), right: margin("media-right-margin"))
    }
}

extension Media {
    /// The size as a `media-size` value: `x-dimension` and `y-dimension` in hundredths of a millimetre.
    public var mediaSize: IPP.Collection {
        IPP.Collection([
            Attribute("x-dimension", .integer(width.ipp)), Attribute("y-dimension", .integer(height.ipp)),
        ])
    }

    /// The medium that a `media-col` value names or measures; nil when it does neither in a sensible way.
    public init?(mediaCol: IPP.Collection) {
        if let size = mediaCol.collection("media-size"), let width = size.integer("x-dimension"),
            let height = size.integer("y-dimension")
        {
            let limits: ClosedRange<Int32> = 1...1_000_000
            guard limits.contains(width), limits.contains(height) else { return nil }
            self = .of(width: Length(hundredths: Int(width)), height: Length(hundredths: Int(height)))
        } else if let name = mediaCol.string("media-size-name"), let media = Media(named: name) {
            self = media
        } else {
            return nil
        }
    }
}

extension Length {
    /// Hundredths of a millimetre as an IPP integer.
    var ipp: Int32 { Int32(clamping: hundredths) }
}
