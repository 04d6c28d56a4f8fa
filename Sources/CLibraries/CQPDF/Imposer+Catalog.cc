// Writes the catalog: layers, output intents, and the title.

#include "Imposer.hh"

void Imposer::writeCatalog(int object, int pageTree) {
    std::string layers, off, intents;
    for (size_t index = 0; index < plan.document_count; index++) {
        auto &copier = *copiers[index];
        auto root = plan.documents[index]->pdf.getRoot();
        auto &source = plan.documents[index]->layers();
        for (auto &layer : source.all) layers += copier.copy(layer) + " ";
        for (auto &layer : source.off) off += copier.copy(layer) + " ";
        if (index == 0 && root.getKey("/OutputIntents").isArray()) {
            intents = " /OutputIntents " + copier.copy(root.getKey("/OutputIntents"));
        }
        copier.finish();
    }
    std::string text = "<< /Type /Catalog /Pages " + reference(pageTree) + intents;
    if (!layers.empty()) {
        text += " /OCProperties << /OCGs [" + layers + "] /D << /OFF [" + off + "] >> >>";
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
