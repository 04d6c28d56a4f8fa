import Foundation
import Testing

/// A reader for the links in a PDF, based on the output of `qpdf --json=2`.
struct LinkReader {
    /// The link targets of each page: an address, or `page 2`, or `nowhere` for a link without a page.
    let links: [[String]]

    init(json: Data) throws {
        let all = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let pages = try #require(all["pages"] as? [[String: Any]]).compactMap { $0["object"] as? String }
        let parts = try #require(all["qpdf"] as? [Any])
        let objects = try #require(parts.last as? [String: Any])
        func resolve(_ value: Any?) -> Any? {
            guard let name = value as? String, name.hasSuffix(" R"), let object = objects["obj:\(name)"] else {
                return value
            }
            return (object as? [String: Any])?["value"] ?? object
        }
        func names(_ tree: Any?) -> [(String, Any)] {
            let node = resolve(tree) as? [String: Any]
            let own = resolve(node?["/Names"]) as? [Any] ?? []
            let pairs = stride(from: 0, to: own.count - 1, by: 2).map { (own[$0] as? String ?? "", own[$0 + 1]) }
            return pairs + (resolve(node?["/Kids"]) as? [Any] ?? []).flatMap(names)
        }
        let trailer = (objects["trailer"] as? [String: Any])?["value"] as? [String: Any]
        let root = resolve(trailer?["/Root"]) as? [String: Any]
        let named = names((resolve(root?["/Names"]) as? [String: Any])?["/Dests"])
        func target(_ destination: Any?) -> String {
            var found = resolve(destination)
            if let name = found as? String { found = resolve(named.first { $0.0 == name }?.1) }
            if let dictionary = found as? [String: Any] { found = resolve(dictionary["/D"]) }
            let page = (found as? [Any])?.first as? String
            return page.flatMap { pages.firstIndex(of: $0) }.map { "page \($0 + 1)" } ?? "nowhere"
        }
        links = pages.map { page in
            let annotations = resolve((resolve(page) as? [String: Any])?["/Annots"]) as? [Any] ?? []
            return annotations.compactMap { resolve($0) as? [String: Any] }
                .filter { $0["/Subtype"] as? String == "/Link" }
                .map { link in
                    let action = resolve(link["/A"]) as? [String: Any]
                    if let address = action?["/URI"] as? String { return String(address.dropFirst(2)) }
                    return target(link["/Dest"] ?? action?["/D"])
                }
        }
    }
}
