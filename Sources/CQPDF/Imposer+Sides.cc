// One side: its pages' content, resources and groups.

#include <qpdf/Pl_Buffer.hh>
#include <qpdf/Pl_Flate.hh>

#include "Imposer.hh"

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

/// The data of several content streams as one (ISO 32000-1 §7.8.2: they are one, split at white space), compressed.
std::shared_ptr<Buffer> joined(std::vector<QPDFObjectHandle> &streams, cqpdf_document &document) {
    Pl_Buffer result("contents");
    Pl_Flate flate("contents", &result, Pl_Flate::a_deflate);
    for (auto &stream : streams) {
        try {
            auto data = stream.getStreamData(qpdf_dl_generalized);
            flate.write(data->getBuffer(), data->getSize());
        } catch (QPDFExc const &error) {
            document.pdf.warn(error);
        }
        flate.write(reinterpret_cast<unsigned char const *>("\n"), 1);
    }
    flate.finish();
    return result.getBufferSharedPointer();
}

}  // namespace

std::string Imposer::singlePage(size_t index) {
    auto &placement = plan.placements[index];
    auto &source = plan.documents[placement.document]->pages[placement.page];
    auto &copier = *copiers[placement.document];
    Extras extras;
    addAnnotations(index, extras);
    if (plan.border) extras.content.add("0 G 0.5 w ").rectangle(placement.clip).add("S\n");

    std::vector<std::string> contents;
    for (auto &stream : contentStreams(source)) contents.push_back(copier.copy(stream));
    if (!placement.as_it_is || !extras.content.text.empty()) {
        Content before;
        before.add("q\n");
        if (!placement.as_it_is) before.rectangle(placement.clip).add("W n\n").concatenate(placement.matrix);
        // Content that closes more than it opened must not undo the matrix.
        before.add("q q q q\n");
        contents.insert(contents.begin(), reference(sharedStream(before.text)));
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

std::string Imposer::sharedPage(cqpdf_side const &side) {
    Extras extras;
    auto &content = extras.content;
    for (size_t index = side.first; index < side.first + side.count; index++) {
        auto &placement = plan.placements[index];
        auto resource = "/P" + std::to_string(index - side.first);
        extras.xobjects += resource + " " + reference(form(placement.document, placement.page)) + " ";
        content.add("q\n").rectangle(placement.clip).add("W n\n").concatenate(placement.matrix);
        content.add(resource.c_str()).add(" Do\nQ\n");
        addAnnotations(index, extras);
        if (plan.border) content.add("q 0 G 0.5 w ").rectangle(placement.clip).add("S Q\n");
    }
    auto entries = "/Contents " + reference(file.add(content.text)) + " /Resources << /XObject << " + extras.xobjects
                   + ">> >>";
    if (!extras.links.empty()) entries += " /Annots [" + extras.links + "]";
    return entries;
}

int Imposer::form(uint32_t document, uint32_t index) {
    auto &made = forms[uint64_t(document) << 32 | index];
    if (made != 0) return made;
    auto &page = plan.documents[document]->pages[index];
    double const box[4] = {page.geometry.left, page.geometry.bottom, page.geometry.right, page.geometry.top};
    auto entries = "/Type /XObject /Subtype /Form /BBox [" + Content().numbers(box, 4).text + "] /Resources "
                   + resources(document, page) + group(document, page);
    auto contents = contentStreams(page);
    if (contents.size() == 1) return made = copiers[document]->copyStream(contents[0], entries);
    made = file.reserve();
    auto data = joined(contents, *plan.documents[document]);
    file.write(made, entries + " /Filter /FlateDecode", data->getBuffer(), data->getSize());
    return made;
}

std::string Imposer::resources(uint32_t document, Page &page, std::string const &xobjects) {
    auto &copier = *copiers[document];
    bool isInherited = page.inheritedResources >= 0;
    auto source = isInherited ? plan.documents[document]->inherited[size_t(page.inheritedResources)]
                              : page.object.getKey("/Resources");
    if (!source.isDictionary()) source = QPDFObjectHandle::newDictionary();
    if (xobjects.empty() && !isInherited) return copier.copy(source);
    if (xobjects.empty()) {
        // Inherited dictionaries are often direct objects; copied once, they stay shared.
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
