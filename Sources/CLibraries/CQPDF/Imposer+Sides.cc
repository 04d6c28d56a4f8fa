// Writes one side: the content, resources and groups of its pages.

#include <qpdf/Pl_Buffer.hh>

#include "GraphicsStates.hh"
#include "Imposer.hh"
#include "Operands.hh"
#include "TextObjects.hh"
#include "TypeThreeFonts.hh"

namespace {

std::vector<QPDFObjectHandle> contentStreams(Page &page) {
    auto contents = page.object.getKey("/Contents");
    if (contents.isStream()) return {contents};
    std::vector<QPDFObjectHandle> streams;
    if (contents.isArray()) {
        for (auto &item : contents.getArrayAsVector()) {
            if (item.isStream()) streams.push_back(item);
        }
    }
    return streams;
}

/// The content streams of a page, joined (ISO 32000-1 §7.8.2: the streams are one content, split at white space).
struct JoinedContent {
    std::string text;
    /// Whether the text differs from the streams: without operators at which poppler would stop, without layers that are not
    /// printed, or with other text objects.
    bool isChanged = false;
};

/// Returns the resources of a page, which can be inherited; null if there are none.
///
/// A page with its own resources inherits none (ISO 32000-1 §7.7.3.4). Some programs rely on viewers that find categories
/// such as fonts in the parent if the page lacks them.
QPDFObjectHandle resourcesOf(Page &page, cqpdf_document &document) {
    if (page.inheritedResources >= 0) return document.inherited[size_t(page.inheritedResources)];
    auto own = page.object.getKey("/Resources");
    if (page.hiddenResources < 0) return own;
    bool isComplete = true;
    for (auto &entry : document.inherited[size_t(page.hiddenResources)].getDictAsMap()) {
        if (!entry.second.isDictionary() || own.hasKey(entry.first)) continue;
        if (isComplete) own = own.shallowCopy();
        isComplete = false;
        own.replaceKey(entry.first, entry.second);
    }
    return own;
}

JoinedContent joined(std::vector<QPDFObjectHandle> &streams, Page &page, cqpdf_document &document) {
    std::string content;
    bool isWhole = true;
    for (auto &stream : streams) {
        Pl_Buffer data("contents");
        bool isDecoded = false;
        try {
            // Damaged data is used as far as it can be decoded, as in viewers.
            stream.pipeStreamData(&data, &isDecoded, 0, qpdf_dl_specialized);
        } catch (QPDFExc const &error) {
            document.pdf.warn(error);
        }
        data.finish();
        auto bytes = data.getBufferSharedPointer();
        if (isDecoded) content.append(reinterpret_cast<char const *>(bytes->getBuffer()), bytes->getSize());
        isWhole = isWhole && isDecoded;
        content += '\n';
    }
    JoinedContent result{content};
    if (!isWhole) return result;
    if (seemsToLackOperands(content)) {
        result.text = withoutIncompleteOperators(content);
        result.isChanged = result.text != content;
        if (result.isChanged) document.pdf.warn(qpdf_e_damaged_pdf, "", 0, "an operator lacks operands");
    }
    if (drawsPathsInText(result.text)) result = {withPathsBeforeText(result.text), true};
    auto resources = resourcesOf(page, document);
    if (document.layers().hide(resources)) {
        result = {document.layers().printedContent(result.text, resources), true};
    }
    return result;
}

}  // namespace

std::string Imposer::unchangedPage(size_t index) {
    auto &placement = plan.placements[index];
    auto &source = plan.documents[placement.document]->pages[placement.page];
    auto &copier = *copiers[placement.document];
    Extras extras;
    addAnnotations(index, extras);
    addBorder(placement, extras.content);

    std::vector<std::string> contents;
    auto streams = contentStreams(source);
    auto content = joined(streams, source, *plan.documents[placement.document]);
    if (content.isChanged) {
        contents.push_back(reference(copier.addCompressed("", content.text)));
    } else {
        for (auto &stream : streams) contents.push_back(copier.copy(stream));
    }
    if (!extras.content.text.empty()) {
        // Content that restores more graphics states than it saved must not affect the content drawn after it.
        contents.insert(contents.begin(), reference(sharedStream("q q q q q\n")));
        contents.push_back(reference(sharedStream("\nQ Q Q Q Q\n" + extras.content.text)));
    }
    std::string entries = "/Resources " + resources(placement.document, source, extras.xobjects)
                          + group(placement.document, source);
    if (!contents.empty()) {
        entries += " /Contents [";
        for (auto &stream : contents) entries += " " + stream;
        entries += " ]";
    }
    if (!extras.links.empty()) entries += " /Annots [" + extras.links + "]";
    return entries;
}

std::string Imposer::composedPage(cqpdf_side const &side) {
    Extras extras;
    auto &content = extras.content;
    for (size_t index = side.first; index < side.first + side.count; index++) {
        auto &placement = plan.placements[index];
        auto resource = "/P" + std::to_string(index - side.first);
        // An overlay is not a group, because its colors must blend with the pages.
        bool isGroup = plan.shared_sides && !placement.is_overlay;
        extras.xobjects += resource + " " + reference(form(placement.document, placement.page, isGroup)) + " ";
        content.add("q\n").rectangle(placement.clip).add("W n\n").concatenate(placement.matrix);
        if (placement.multiplies) {
            extras.graphicsStates = "/Multiply << /Type /ExtGState /BM /Multiply >> ";
            content.add("/Multiply gs\n");
        }
        content.add(resource.c_str()).add(" Do\nQ\n");
        addAnnotations(index, extras);
        addBorder(placement, content);
    }
    auto entries = "/Contents " + reference(file.add(content.text)) + " /Resources << /XObject << " + extras.xobjects
                   + ">>";
    if (!extras.graphicsStates.empty()) entries += " /ExtGState << " + extras.graphicsStates + ">>";
    entries += " >>";
    for (size_t index = side.first; !plan.shared_sides && index < side.first + side.count; index++) {
        // A single page on a side must blend as in its document, so the side uses the page's group.
        auto &placement = plan.placements[index];
        if (placement.is_overlay) continue;
        entries += group(placement.document, plan.documents[placement.document]->pages[placement.page]);
        break;
    }
    if (!extras.links.empty()) entries += " /Annots [" + extras.links + "]";
    return entries;
}

void Imposer::addBorder(cqpdf_placement const &placement, Content &content) const {
    if (placement.is_overlay || plan.border_lines == 0) return;
    content.add("q 0 G ").number(plan.border_width, 2).add("w ");
    for (int line = 0; line < plan.border_lines; line++) {
        // Two lines are separated by a gap that is twice as wide as a line.
        double inset = line * 3 * plan.border_width;
        auto &clip = placement.clip;
        double const inner[4] = {clip[0] + inset, clip[1] + inset, clip[2] - 2 * inset, clip[3] - 2 * inset};
        if (inner[2] > 0 && inner[3] > 0) content.rectangle(inner).add("S ");
    }
    content.add("Q\n");
}

int Imposer::form(uint32_t document, size_t index, bool isGroup) {
    auto &made = forms[uint64_t(document) << 32 | index];
    if (made != 0) return made;
    auto &page = plan.documents[document]->pages[index];
    double const box[4] = {page.geometry.left, page.geometry.bottom, page.geometry.right, page.geometry.top};
    auto entries = "/Type /XObject /Subtype /Form /BBox [" + Content().numbers(box, 4).text + "] /Resources "
                   + resources(document, page);
    if (isGroup) entries += group(document, page);
    auto contents = contentStreams(page);
    auto content = joined(contents, page, *plan.documents[document]);
    auto surplus = surplusRestores(content.text);
    if (contents.size() == 1 && surplus == 0 && !content.isChanged) {
        return made = copiers[document]->copyStream(contents[0], entries);
    }
    std::string saves;
    for (size_t count = 0; count < surplus; count++) saves += "q ";
    return made = copiers[document]->addCompressed(entries, saves + content.text);
}

std::string Imposer::resources(uint32_t document, Page &page, std::string const &xobjects) {
    auto &copier = *copiers[document];
    bool isInherited = page.inheritedResources >= 0;
    auto source = resourcesOf(page, *plan.documents[document]);
    completeTypeThreeFonts(plan.documents[document]->pdf, source);
    if (!source.isDictionary()) source = QPDFObjectHandle::newDictionary();
    if (xobjects.empty() && !isInherited) return copier.copy(source);
    if (xobjects.empty()) {
        // Inherited dictionaries are often direct objects; they are copied once and stay shared.
        auto &made = inheritedResources[document][size_t(page.inheritedResources)];
        if (made.empty()) {
            made = copier.copy(source);
            if (!source.isIndirect()) {
                int object = file.reserve();
                file.write(object, made);
                made = reference(object);
            }
        }
        return made;
    }
    std::string text = "<<";
    for (auto &entry : source.getDictAsMap()) {
        if (entry.first != "/XObject") text += " " + nameText(entry.first) + " " + copier.copy(entry.second);
    }
    text += " /XObject <<";
    auto own = source.getKey("/XObject");
    if (own.isDictionary()) {
        for (auto &item : own.getDictAsMap()) text += " " + nameText(item.first) + " " + copier.copy(item.second);
    }
    return text + " " + xobjects + ">> >>";
}

std::string Imposer::group(uint32_t document, Page &page) {
    auto group = page.object.getKey("/Group");
    return group.isDictionary() ? " /Group " + copiers[document]->copy(group) : "";
}

int Imposer::sharedStream(std::string const &text) {
    auto &made = streams[text];
    if (made == 0) made = file.add(text);
    return made;
}
