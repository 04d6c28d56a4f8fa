#include "Copier.hh"

#include <qpdf/Pl_Buffer.hh>
#include <qpdf/Pl_Flate.hh>

#include "TypeThreeFonts.hh"

namespace {

bool isDocumentStructure(QPDFObjectHandle &dictionary) {
    auto type = dictionary.getKey("/Type");
    if (!type.isName()) return false;
    auto name = type.getName();
    return name == "/Page" || name == "/Pages" || name == "/Catalog";
}

/// Returns a stream's filters and their parameters, without the filters of the source's encryption.
void takeFilters(QPDFObjectHandle dictionary, QPDFObjectHandle &filters, QPDFObjectHandle &parameters) {
    filters = dictionary.getKey("/Filter");
    parameters = dictionary.getKey("/DecodeParms");
    if (filters.isNameAndEquals("/Crypt")) {
        filters = parameters = QPDFObjectHandle::newNull();
    } else if (filters.isArray()) {
        std::vector<QPDFObjectHandle> keptFilters, keptParameters;
        for (int index = 0; index < filters.getArrayNItems(); index++) {
            auto filter = filters.getArrayItem(index);
            if (filter.isNameAndEquals("/Crypt")) continue;
            keptFilters.push_back(filter);
            bool has = parameters.isArray() && index < parameters.getArrayNItems();
            keptParameters.push_back(has ? parameters.getArrayItem(index) : QPDFObjectHandle::newNull());
        }
        if (int(keptFilters.size()) == filters.getArrayNItems()) return;
        filters = QPDFObjectHandle::newArray(keptFilters);
        parameters = QPDFObjectHandle::newArray(keptParameters);
    }
}

}  // namespace

std::string Copier::copy(QPDFObjectHandle source) {
    std::string text;
    append(source, text);
    return text;
}

void Copier::finish() {
    while (!waiting.empty()) {
        auto [source, object] = std::move(waiting.back());
        waiting.pop_back();
        auto owner = source.isStream() ? source.getDict() : source;
        if (owner.isDictionary()) completeTypeThreeFonts(*source.getOwningQPDF(), owner.getKey("/Resources"));
        if (source.isStream() && !layers.prints(owner.getKey("/OC"))) {
            writeCompressed(object, "/Type /XObject /Subtype /Form /BBox [0 0 0 0]", "");
        } else if (source.isStream()) {
            std::string entries;
            for (auto &entry : source.getDict().getDictAsMap()) {
                if (entry.first == "/Length" || entry.first == "/Filter" || entry.first == "/DecodeParms") continue;
                entries += nameText(entry.first) + " ";
                append(entry.second, entries);
                entries += " ";
            }
            writeStream(object, source, std::move(entries));
        } else {
            std::string text;
            appendContainer(source, text);
            file.write(object, text);
        }
    }
}

int Copier::copyStream(QPDFObjectHandle source, std::string const &entries) {
    int object = file.reserve();
    writeStream(object, source, entries);
    return object;
}

void Copier::writeStream(int object, QPDFObjectHandle &source, std::string entries) {
    auto resources = source.getDict().getKey("/Resources");
    auto pattern = source.getDict().getKey("/PatternType");
    bool isTiling = pattern.isInteger() && pattern.getIntValue() == 1;
    bool hides = layers.hide(resources);
    if (hides || isTiling) {
        Pl_Buffer data("stream");
        bool isDecoded = false;
        source.pipeStreamData(&data, &isDecoded, 0, qpdf_dl_specialized);
        auto bytes = data.getBufferSharedPointer();
        std::string content(reinterpret_cast<char const *>(bytes->getBuffer()), bytes->getSize());
        if (isDecoded && hides) content = layers.printedContent(content, resources);
        // Poppler draws the lines of a pattern as hairlines, unless the pattern sets their width. The right width is the
        // initial width of lines (ISO 32000-1 §8.7.3.1).
        if (isTiling) content.insert(0, "1 w\n");
        if (isDecoded) return writeCompressed(object, entries, content);
    }
    QPDFObjectHandle filters, parameters;
    takeFilters(source.getDict(), filters, parameters);
    if (!filters.isNull()) entries += " /Filter " + copy(filters);
    if (!parameters.isNull()) entries += " /DecodeParms " + copy(parameters);
    // If the data cannot be read completely, the readable part is copied, which is what viewers display.
    Pl_Buffer data("stream");
    source.pipeStreamData(&data, nullptr, 0, qpdf_dl_none);
    auto bytes = data.getBufferSharedPointer();
    file.write(object, entries, bytes->getBuffer(), bytes->getSize());
}

int Copier::addCompressed(std::string const &entries, std::string const &content) {
    int object = file.reserve();
    writeCompressed(object, entries, content);
    return object;
}

void Copier::writeCompressed(int object, std::string const &entries, std::string const &content) {
    Pl_Buffer result("contents");
    Pl_Flate flate("contents", &result, Pl_Flate::a_deflate);
    flate.write(reinterpret_cast<unsigned char const *>(content.data()), content.size());
    flate.finish();
    auto data = result.getBufferSharedPointer();
    file.write(object, entries + " /Filter /FlateDecode", data->getBuffer(), data->getSize());
}

void Copier::append(QPDFObjectHandle &source, std::string &text) {
    if (source.isIndirect()) {
        appendReference(source, text);
    } else {
        appendContainer(source, text);
    }
}

void Copier::appendReference(QPDFObjectHandle &source, std::string &text) {
    auto found = made.find(objectKey(source.getObjGen()));
    if (found != made.end()) {
        text += reference(found->second);
    } else if (source.isStream() || source.isArray() || (source.isDictionary() && !isDocumentStructure(source))) {
        int object = file.reserve();
        made.emplace(objectKey(source.getObjGen()), object);
        waiting.emplace_back(source, object);
        text += reference(object);
    } else {
        text += source.isDictionary() ? "null" : source.unparseResolved();
    }
}

// Nested containers belong to one source object, and libqpdf's parser limits the nesting depth.
void Copier::appendContainer(QPDFObjectHandle &source, std::string &text) {
    if (source.isDictionary()) {
        text += "<<";
        for (auto &item : source.getDictAsMap()) {
            text += " " + nameText(item.first) + " ";
            append(item.second, text);
        }
        text += " >>";
    } else if (source.isArray()) {
        text += "[";
        for (auto &item : source.getArrayAsVector()) {
            text += " ";
            append(item, text);
        }
        text += " ]";
    } else {
        text += source.unparseResolved();
    }
}
