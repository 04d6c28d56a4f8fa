// Writes the catalog: layers, output intents, and the title.

#include <set>

#include "Imposer.hh"

namespace {

/// Returns the layers that are off when the document is opened (ISO 32000-1 §8.11.4.3).
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

void Imposer::writeCatalog(int object, int pageTree) {
    std::string layers, off, usage, intents;
    for (size_t index = 0; index < plan.document_count; index++) {
        auto &copier = *copiers[index];
        auto root = plan.documents[index]->pdf.getRoot();
        auto properties = root.getKey("/OCProperties");
        if (properties.isDictionary() && properties.getKey("/OCGs").isArray()) {
            for (auto &layer : properties.getKey("/OCGs").getArrayAsVector()) layers += copier.copy(layer) + " ";
            for (auto &layer : layersOff(properties)) off += copier.copy(layer) + " ";
            auto defaults = properties.getKey("/D");
            if (defaults.isDictionary() && defaults.getKey("/AS").isArray()) {
                for (auto &event : defaults.getKey("/AS").getArrayAsVector()) usage += copier.copy(event) + " ";
            }
        }
        if (index == 0 && root.getKey("/OutputIntents").isArray()) {
            intents = " /OutputIntents " + copier.copy(root.getKey("/OutputIntents"));
        }
        copier.finish();
    }
    std::string text = "<< /Type /Catalog /Pages " + reference(pageTree) + intents;
    if (!layers.empty()) {
        text += " /OCProperties << /OCGs [" + layers + "] /D << /OFF [" + off + "] /AS [" + usage + "] >> >>";
    }
    file.write(object, text + " >>");
}

std::string Imposer::titleEntry() {
    auto title = plan.document_count == 0 ? nullptr : cqpdf_title(plan.documents[0]);
    if (title == nullptr) return "";
    int information = file.reserve();
    file.write(information, "<< /Title " + QPDFObjectHandle::newUnicodeString(title).unparse() + " >>");
    return " /Info " + reference(information);
}
