// What a document says as a whole and its sides need: layers, output intents, the title.

#include <set>

#include "Imposer.hh"

namespace {

/// The layers that are off when the document is opened (ISO 32000-1 §8.11.4.3).
std::vector<QPDFObjectHandle> layersOff(QPDFObjectHandle properties) {
    auto defaults = properties.getKey("/D");
    if (!defaults.isDictionary()) return {};
    auto list = [](QPDFObjectHandle object) {
        return object.isArray() ? object.getArrayAsVector() : std::vector<QPDFObjectHandle>();
    };
    if (!defaults.getKey("/BaseState").isNameAndEquals("/OFF")) return list(defaults.getKey("/OFF"));
    std::set<QPDFObjGen> on;
    for (auto &layer : list(defaults.getKey("/ON"))) on.insert(layer.getObjGen());
    std::vector<QPDFObjectHandle> off;
    for (auto &layer : list(properties.getKey("/OCGs"))) {
        if (on.count(layer.getObjGen()) == 0) off.push_back(layer);
    }
    return off;
}

}  // namespace

void Imposer::addCatalogEntries() {
    std::vector<QPDFObjectHandle> layers, off, usage;
    auto catalog = out.getRoot();
    for (size_t index = 0; index < plan.document_count; index++) {
        auto &document = *plan.documents[index];
        auto &copier = *copiers[index];
        auto root = document.pdf.getRoot();
        auto properties = root.getKey("/OCProperties");
        if (properties.isDictionary() && properties.getKey("/OCGs").isArray()) {
            for (auto &layer : properties.getKey("/OCGs").getArrayAsVector()) layers.push_back(copier.copy(layer));
            for (auto &layer : layersOff(properties)) off.push_back(copier.copy(layer));
            auto events = properties.getKey("/D").isDictionary() ? properties.getKey("/D").getKey("/AS")
                                                                 : QPDFObjectHandle::newNull();
            if (events.isArray()) {
                for (auto &event : events.getArrayAsVector()) usage.push_back(copier.copy(event));
            }
        }
        auto intents = root.getKey("/OutputIntents");
        if (index == 0 && intents.isArray()) catalog.replaceKey("/OutputIntents", copier.copy(intents));
        if (index == 0 && cqpdf_title(&document)) {
            auto title = QPDFObjectHandle::newUnicodeString(cqpdf_title(&document));
            out.getTrailer().replaceKey(
                "/Info", out.makeIndirectObject(QPDFObjectHandle::newDictionary({{"/Title", title}})));
        }
    }
    if (!layers.empty()) {
        auto defaults = QPDFObjectHandle::newDictionary({{"/OFF", QPDFObjectHandle::newArray(off)}});
        if (!usage.empty()) defaults.replaceKey("/AS", QPDFObjectHandle::newArray(usage));
        catalog.replaceKey(
            "/OCProperties",
            QPDFObjectHandle::newDictionary({{"/OCGs", QPDFObjectHandle::newArray(layers)}, {"/D", defaults}}));
    }
}
