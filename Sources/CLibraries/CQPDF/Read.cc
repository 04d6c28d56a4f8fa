// Reads the properties, boxes, outline, links and attachments of a document.

#include "CQPDFRead.h"

#include <cmath>
#include <limits>
#include <set>

#include <qpdf/Buffer.hh>
#include <qpdf/QPDFEFStreamObjectHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFNameTreeObjectHelper.hh>

#include "Document.hh"
#include "Status.hh"

namespace {

using Handle = QPDFObjectHandle;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
/// A larger outline is an error in the document.
constexpr size_t mostEntries = 1000000;

double numberAt(Handle array, int index) {
    if (index >= array.getArrayNItems()) return nothing;
    auto item = array.getArrayItem(index);
    return item.isNumber() ? item.getNumericValue() : nothing;
}

bool readRectangle(Handle array, double rect[4]) {
    if (!array.isArray() || array.getArrayNItems() != 4) return false;
    double edges[4];
    for (int index = 0; index < 4; index++) {
        edges[index] = numberAt(array, index);
        if (!std::isfinite(edges[index])) return false;
    }
    rect[0] = std::min(edges[0], edges[2]);
    rect[1] = std::min(edges[1], edges[3]);
    rect[2] = std::max(edges[0], edges[2]);
    rect[3] = std::max(edges[1], edges[3]);
    return true;
}

/// Returns the value of a key; null if the object is no dictionary.
Handle at(Handle object, char const *key) { return object.isDictionary() ? object.getKey(key) : Handle::newNull(); }

std::string textOf(Handle object) { return object.isString() ? object.getUTF8Value() : ""; }

/// Finds the targets of actions and destinations.
class Targets {
  public:
    explicit Targets(cqpdf_document &document) : document(document) {}

    /// The text of `target.uri` is valid until the next call.
    cqpdf_target of(Handle entry) {
        cqpdf_target target{nullptr, -1, nothing, nothing};
        auto action = entry.getKey("/A");
        if (action.isDictionary() && action.getKey("/S").isNameAndEquals("/URI")) {
            // URIs are ASCII, but many programs write UTF-8.
            auto address = action.getKey("/URI");
            if (!address.isString()) return target;
            uri = address.getStringValue();
            target.uri = uri.c_str();
            return target;
        }
        auto destination = entry.getKey("/Dest");
        if (action.isDictionary() && action.getKey("/S").isNameAndEquals("/GoTo")) destination = action.getKey("/D");
        place(resolved(destination), target);
        return target;
    }

  private:
    cqpdf_document &document;
    std::string uri;

    /// Returns the array of a named or direct destination (ISO 32000-1 §12.3.2.3); null if there is none.
    Handle resolved(Handle destination) {
        if (destination.isString()) {
            auto tree = at(document.pdf.getRoot().getKey("/Names"), "/Dests");
            auto name = destination.getUTF8Value();
            destination = Handle::newNull();
            if (tree.isDictionary()) {
                QPDFNameTreeObjectHelper(tree, document.pdf).findObject(name, destination);
            }
        } else if (destination.isName()) {
            destination = at(document.pdf.getRoot().getKey("/Dests"), destination.getName().c_str());
        }
        return destination.isDictionary() ? destination.getKey("/D") : destination;
    }

    void place(Handle array, cqpdf_target &target) {
        if (!array.isArray() || array.getArrayNItems() < 1) return;
        auto page = array.getArrayItem(0);
        // Some programs write the page's index, which only links to other documents should have.
        target.page = page.isInteger() ? page.getIntValue() : document.indexOf(page.getObjGen());
        if (target.page < 0 || size_t(target.page) >= document.pages.size()) target.page = -1;
        auto view = array.getArrayNItems() > 1 ? array.getArrayItem(1) : Handle::newNull();
        if (view.isNameAndEquals("/XYZ")) {
            target.x = numberAt(array, 2);
            target.y = numberAt(array, 3);
        } else if (view.isNameAndEquals("/FitH") || view.isNameAndEquals("/FitBH")) {
            target.y = numberAt(array, 2);
        } else if (view.isNameAndEquals("/FitV") || view.isNameAndEquals("/FitBV")) {
            target.x = numberAt(array, 2);
        } else if (view.isNameAndEquals("/FitR")) {
            target.x = numberAt(array, 2);
            target.y = numberAt(array, 5);
        }
    }
};

/// Returns the embedded stream of a file specification, or null.
Handle streamOf(QPDFFileSpecObjectHelper &file) {
    auto stream = file.getEmbeddedFileStream();
    return stream.isStream() ? stream : Handle::newNull();
}

}  // namespace

bool cqpdf_properties(cqpdf_document *document, void *context, cqpdf_property receive, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        auto language = document->pdf.getRoot().getKey("/Lang");
        if (language.isString()) receive(context, "/Lang", language.getUTF8Value().c_str());
        auto info = document->pdf.getTrailer().getKey("/Info");
        if (!info.isDictionary()) return;
        for (auto &key : info.getKeys()) {
            auto value = info.getKey(key);
            if (value.isString()) receive(context, key.c_str(), value.getUTF8Value().c_str());
        }
    });
}

bool cqpdf_metadata(cqpdf_document *document, void *context, cqpdf_bytes receive, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        auto metadata = document->pdf.getRoot().getKey("/Metadata");
        if (!metadata.isStream()) return;
        auto data = metadata.getStreamData(qpdf_dl_all);
        receive(context, data->getBuffer(), data->getSize());
    });
}

bool cqpdf_page_box(cqpdf_document *document, size_t page, const char *key, double box[4]) {
    cqpdf_status status;
    bool isFound = false;
    guarded(&status, CQPDF_DAMAGED, [&] {
        std::set<QPDFObjGen> seen;
        for (auto node = document->pages.at(page).object; node.isDictionary(); node = node.getKey("/Parent")) {
            if (readRectangle(node.getKey(key), box)) {
                isFound = true;
                return;
            }
            if (node.isIndirect() && !seen.insert(node.getObjGen()).second) return;
        }
    });
    return isFound;
}

bool cqpdf_outline(cqpdf_document *document, void *context, cqpdf_outline_entry receive, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        Targets targets(*document);
        std::set<QPDFObjGen> seen;
        size_t count = 0;
        // The next entry of each open level.
        std::vector<Handle> open{at(document->pdf.getRoot().getKey("/Outlines"), "/First")};
        while (!open.empty()) {
            auto entry = open.back();
            bool isNew = entry.isDictionary() && (!entry.isIndirect() || seen.insert(entry.getObjGen()).second);
            if (!isNew || ++count > mostEntries) {
                open.pop_back();
                continue;
            }
            auto target = targets.of(entry);
            receive(context, open.size() - 1, textOf(entry.getKey("/Title")).c_str(), &target);
            open.back() = entry.getKey("/Next");
            open.push_back(entry.getKey("/First"));
        }
    });
}

bool cqpdf_links(
    cqpdf_document *document, size_t page, void *context, cqpdf_link receive, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        Targets targets(*document);
        auto annotations = document->pages.at(page).object.getKey("/Annots");
        if (!annotations.isArray()) return;
        for (auto &annotation : annotations.getArrayAsVector()) {
            double rect[4];
            if (!annotation.isDictionary() || !annotation.getKey("/Subtype").isNameAndEquals("/Link") ||
                !readRectangle(annotation.getKey("/Rect"), rect))
                continue;
            auto target = targets.of(annotation);
            if (target.uri || target.page >= 0) receive(context, rect, &target);
        }
    });
}

bool cqpdf_attachments(cqpdf_document *document, void *context, cqpdf_attachment receive, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        for (auto &file : QPDFEmbeddedFileDocumentHelper(document->pdf).getEmbeddedFiles()) {
            auto stream = streamOf(*file.second);
            if (stream.isNull()) continue;
            auto type = stream.getDict().getKey("/Subtype");
            auto relationship = file.second->getObjectHandle().getKey("/AFRelationship");
            receive(
                context, file.first.c_str(), file.second->getDescription().c_str(),
                type.isName() ? type.getName().substr(1).c_str() : "",
                relationship.isName() ? relationship.getName().substr(1).c_str() : "");
        }
    });
}

bool cqpdf_attachment_data(
    cqpdf_document *document, const char *name, void *context, cqpdf_bytes receive, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        auto file = QPDFEmbeddedFileDocumentHelper(document->pdf).getEmbeddedFile(name);
        if (!file) return;
        auto stream = streamOf(*file);
        if (stream.isNull()) return;
        auto data = stream.getStreamData(qpdf_dl_all);
        receive(context, data->getBuffer(), data->getSize());
    });
}
