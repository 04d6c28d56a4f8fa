// Extracts pages into a new document. Pages remain page objects and keep their links and form fields.

#include "CQPDFExtract.h"

#include <map>
#include <qpdf/QPDFAcroFormDocumentHelper.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <set>

#include "Annotations.hh"
#include "Document.hh"
#include "Status.hh"

namespace {

using Handle = QPDFObjectHandle;

/// Returns the value of an entry that pages inherit from their page tree (ISO 32000-1 §7.7.3.4), or null.
Handle inherited(Handle page, std::string const &key) {
    std::set<QPDFObjGen> seen;
    for (auto node = page; node.isDictionary(); node = node.getKey("/Parent")) {
        if (node.hasKey(key)) return node.getKey(key);
        if (!seen.insert(node.getObjGen()).second) break;
    }
    return Handle::newNull();
}

/// Copies selected pages from a document into a new document.
class Extractor {
  public:
    Extractor(cqpdf_document &source, std::vector<size_t> pages) : source(source), indices(std::move(pages)) {
        document.emptyPDF();
        document.setSuppressWarnings(true);
        for (size_t index = 0; index < indices.size(); index++) places.emplace(indices[index], index);
    }

    void run() {
        takeCatalog();
        for (auto index : indices) addPage(index);
        for (auto &page : pages) aimLinks(page);
    }

    void write(char const *path) {
        QPDFWriter writer(document, path);
        writer.setMinimumPDFVersion(source.pdf.getVersionAsPDFVersion());
        writer.write();
    }

  private:
    cqpdf_document &source;
    std::vector<size_t> indices;
    /// The index of each selected source page among the new pages.
    std::map<size_t, size_t> places;
    QPDF document;
    std::vector<Handle> pages;

    /// Copies an object of the source; references to pages become null.
    Handle copy(Handle object) {
        if (object.isIndirect()) return document.copyForeignObject(object);
        return document.copyForeignObject(source.pdf.makeIndirectObject(object.shallowCopy()));
    }

    /// Copies the properties of the whole document that pages need: layers, colors, language, title.
    void takeCatalog() {
        auto root = source.pdf.getRoot();
        for (auto key : {"/OCProperties", "/OutputIntents", "/Lang", "/Metadata", "/ViewerPreferences"}) {
            if (root.hasKey(key)) document.getRoot().replaceKey(key, copy(root.getKey(key)));
        }
        auto information = source.pdf.getTrailer().getKey("/Info");
        if (information.isDictionary()) document.getTrailer().replaceKey("/Info", copy(information));
    }

    void addPage(size_t index) {
        auto original = source.pages[index].object;
        auto page = original.shallowCopy();
        for (auto key : {"/Resources", "/MediaBox", "/CropBox", "/Rotate"}) {
            auto value = inherited(original, key);
            if (!value.isNull()) page.replaceKey(key, value);
        }
        // These entries refer to other pages, or to a structure tree that is not copied.
        for (auto key : {"/Parent", "/B", "/StructParents"}) page.removeKey(key);
        bool hasFields = takeAnnotations(page);
        page = source.pdf.makeIndirectObject(page);
        auto made = document.copyForeignObject(page);
        QPDFPageDocumentHelper(document).addPage(QPDFPageObjectHelper(made), false);
        if (hasFields) takeFields(made, page);
        pages.push_back(made);
    }

    /// Omits links to pages that are not copied, and replaces the pages in other links by their indices; returns
    /// whether the page has form fields.
    bool takeAnnotations(Handle &page) {
        auto all = page.getKey("/Annots");
        if (!all.isArray()) return false;
        auto kept = Handle::newArray();
        bool hasFields = false;
        for (auto &annotation : all.getArrayAsVector()) {
            if (!annotation.isDictionary()) continue;
            hasFields = hasFields || annotation.getKey("/Subtype").isNameAndEquals("/Widget");
            Handle aim;
            if (!leadsInside(annotation, aim)) {
                kept.appendItem(annotation);
            } else if (aim.isArray()) {
                auto link = annotation.shallowCopy();
                link.removeKey("/A");
                link.replaceKey("/Dest", aim);
                kept.appendItem(source.pdf.makeIndirectObject(link));
            }
        }
        page.replaceKey("/Annots", kept);
        return hasFields;
    }

    /// Returns whether an annotation is a link within the document.
    ///
    /// Sets `aim` to its destination with the index of the new page as the first element, or to null if the page is not
    /// copied.
    bool leadsInside(Handle annotation, Handle &aim) {
        aim = Handle::newNull();
        if (!annotation.getKey("/Subtype").isNameAndEquals("/Link")) return false;
        auto action = annotation.getKey("/A");
        bool goes = action.isDictionary() && action.getKey("/S").isNameAndEquals("/GoTo");
        if (!goes && !annotation.hasKey("/Dest")) return false;
        auto destination = explicitDestination(source, goes ? action.getKey("/D") : annotation.getKey("/Dest"));
        auto place = places.find(destination.page);
        if (!destination.array.isArray() || place == places.end()) return true;
        aim = destination.array.shallowCopy();
        aim.setArrayItem(0, Handle::newInteger(static_cast<long long>(place->second)));
        return true;
    }

    /// Creates a form for the form fields of the new page. An invalid form must not prevent copying the page.
    void takeFields(Handle made, Handle page) {
        try {
            QPDFAcroFormDocumentHelper from(source.pdf), to(document);
            to.fixCopiedAnnotations(made, page, from);
            if (from.getNeedAppearances()) to.setNeedAppearances(true);
        } catch (std::exception const &error) {
            source.pdf.warn(qpdf_e_object, "", 0, std::string("form fields were left out: ") + error.what());
        }
    }

    /// Replaces page indices in links by the pages.
    void aimLinks(Handle page) {
        auto annotations = page.getKey("/Annots");
        if (!annotations.isArray()) return;
        for (auto &annotation : annotations.getArrayAsVector()) {
            if (annotation.hasKey("/P")) annotation.replaceKey("/P", page);
            auto destination = annotation.getKey("/Dest");
            if (!annotation.getKey("/Subtype").isNameAndEquals("/Link") || !destination.isArray()) continue;
            auto number = destination.getArrayItem(0);
            if (!number.isInteger() || size_t(number.getIntValue()) >= pages.size()) continue;
            destination.setArrayItem(0, pages[size_t(number.getIntValue())]);
        }
    }
};

}  // namespace

bool cqpdf_extract(
    cqpdf_document *document, const size_t *pages, size_t count, const char *path, cqpdf_status *status) {
    std::unique_ptr<Extractor> extractor;
    bool extracted = guarded(status, CQPDF_DAMAGED, [&] {
        document->readPages();
        std::vector<size_t> indices(pages, pages + count);
        for (auto index : indices) {
            if (index >= document->pages.size()) throw std::logic_error("a page was chosen that does not exist");
        }
        extractor = std::make_unique<Extractor>(*document, std::move(indices));
        extractor->run();
    });
    return extracted && guarded(status, CQPDF_UNWRITABLE, [&] { extractor->write(path); });
}
