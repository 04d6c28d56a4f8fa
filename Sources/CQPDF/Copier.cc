#include "Copier.hh"

#include <qpdf/QIntC.hh>

namespace {

uint64_t key(QPDFObjGen object) { return uint64_t(uint32_t(object.getObj())) << 32 | uint32_t(object.getGen()); }

bool isDocumentStructure(QPDFObjectHandle &dictionary) {
    auto type = dictionary.getKey("/Type");
    if (!type.isName()) return false;
    auto name = type.getName();
    return name == "/Page" || name == "/Pages" || name == "/Catalog";
}

}  // namespace

/// Reads stream data from the source as it lies there, when the writer wants it.
class Copier::Data : public QPDFObjectHandle::StreamDataProvider {
  public:
    std::unordered_map<uint64_t, QPDFObjectHandle> sources;

    void provideStreamData(QPDFObjGen const &object, Pipeline *pipeline) override {
        sources.at(key(object)).pipeStreamData(pipeline, nullptr, 0, qpdf_dl_none);
    }
};

Copier::Copier(QPDF &to) : to(to), data(std::make_shared<Data>()) {}

QPDFObjectHandle Copier::copy(QPDFObjectHandle source) {
    return source.isIndirect() ? reference(source) : copyContainer(source);
}

void Copier::finish() {
    while (!waiting.empty()) {
        auto [source, target] = waiting.back();
        waiting.pop_back();
        if (source.isStream()) {
            auto dictionary = source.getDict().getDictAsMap();
            for (auto &entry : dictionary) {
                if (entry.first != "/Length") entry.second = copy(entry.second);
            }
            dictionary.erase("/Length");
            target.replaceDict(QPDFObjectHandle::newDictionary(dictionary));
            auto copied = target.getDict();
            target.replaceStreamData(data, copied.getKey("/Filter"), copied.getKey("/DecodeParms"));
            data->sources[key(target.getObjGen())] = source;
        } else {
            to.replaceReserved(target, copyContainer(source));
        }
    }
}

QPDFObjectHandle Copier::copyStream(QPDFObjectHandle source, std::map<std::string, QPDFObjectHandle> dictionary) {
    auto from = source.getDict();
    auto stream = to.newStream();
    stream.replaceDict(QPDFObjectHandle::newDictionary(dictionary));
    stream.replaceStreamData(data, copy(from.getKey("/Filter")), copy(from.getKey("/DecodeParms")));
    data->sources[key(stream.getObjGen())] = source;
    return stream;
}

QPDFObjectHandle Copier::reference(QPDFObjectHandle &source) {
    auto found = made.find(key(source.getObjGen()));
    if (found != made.end()) return found->second;
    QPDFObjectHandle target;
    if (source.isStream()) {
        target = to.newStream();
    } else if (source.isArray() || (source.isDictionary() && !isDocumentStructure(source))) {
        target = QPDFObjectHandle::newReserved(&to);
    } else if (source.isDictionary()) {
        return QPDFObjectHandle::newNull();
    } else {
        return source.shallowCopy();
    }
    made.emplace(key(source.getObjGen()), target);
    waiting.emplace_back(source, target);
    return target;
}

// Containers within containers come from one object in the file, whose depth libqpdf's parser bounds.
QPDFObjectHandle Copier::copyContainer(QPDFObjectHandle &source) {
    if (source.isDictionary()) {
        auto items = source.getDictAsMap();
        for (auto &item : items) item.second = copy(item.second);
        return QPDFObjectHandle::newDictionary(items);
    }
    if (source.isArray()) {
        auto items = source.getArrayAsVector();
        for (auto &item : items) item = copy(item);
        return QPDFObjectHandle::newArray(items);
    }
    return source.shallowCopy();
}
