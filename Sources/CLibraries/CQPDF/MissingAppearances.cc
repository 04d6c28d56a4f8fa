// Finds annotations without an appearance, which must be drawn before printing.

#include <qpdf/QPDFAnnotationObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <set>

#include "Annotations.hh"
#include "Status.hh"

namespace {

/// Returns a field's type, which can be inherited from a parent (ISO 32000-1 §12.7.3.1).
std::string fieldType(QPDFObjectHandle field) {
    for (int level = 0; level < 32 && field.isDictionary(); level++) {
        auto type = field.getKey("/FT");
        if (type.isName()) return type.getName();
        field = field.getKey("/Parent");
    }
    return "";
}

bool needsAppearances(QPDF &pdf) {
    auto form = pdf.getRoot().getKey("/AcroForm");
    if (!form.isDictionary()) return false;
    auto flag = form.getKey("/NeedAppearances");
    return flag.isBool() && flag.getBoolValue();
}

bool hasAppearance(QPDFObjectHandle &annotation) {
    auto appearances = annotation.getKey("/AP");
    if (!appearances.isDictionary()) return false;
    // A dictionary contains an appearance for each state, and may lack the current state.
    auto normal = appearances.getKey("/N");
    return normal.isStream() || normal.isDictionary();
}

std::vector<QPDFObjectHandle> annotations(QPDFObjectHandle &page) {
    auto list = page.getKey("/Annots");
    return list.isArray() ? list.getArrayAsVector() : std::vector<QPDFObjectHandle>();
}

/// Removes everything from a page except the annotations without an appearance, and removes the page's rotation.
void strip(cqpdf_document &document, Page &page) {
    std::vector<QPDFObjectHandle> kept;
    for (auto &annotation : annotations(page.object)) {
        if (!lacksAppearance(document.pdf, annotation)) continue;
        if (!document.layers().prints(annotation.getKey("/OC"))) continue;
        annotation.removeKey("/OC");
        // Renderers draw an annotation from its entries only if it has no appearances at all.
        if (!hasAppearance(annotation)) annotation.removeKey("/AP");
        kept.push_back(annotation);
    }
    auto &box = page.geometry;
    auto rectangle = QPDFObjectHandle::newArray(QPDFObjectHandle::Rectangle(box.left, box.bottom, box.right, box.top));
    for (auto key : {"/MediaBox", "/CropBox"}) page.object.replaceKey(key, rectangle);
    for (auto key : {"/Rotate", "/UserUnit", "/Group", "/AA", "/Metadata"}) page.object.removeKey(key);
    page.object.replaceKey("/Rotate", QPDFObjectHandle::newInteger(0));
    page.object.replaceKey("/Annots", QPDFObjectHandle::newArray(kept));
}

}  // namespace

bool lacksAppearance(QPDF &pdf, QPDFObjectHandle &annotation) {
    if (!annotation.isDictionary()) return false;
    auto subtype = annotation.getKey("/Subtype");
    if (subtype.isNameAndEquals("/Link") || subtype.isNameAndEquals("/Popup")) return false;
    auto flags = QPDFAnnotationObjectHelper(annotation).getFlags();
    if ((flags & an_hidden) || !(flags & an_print)) return false;
    if (!hasAppearance(annotation)) return true;
    if (!subtype.isNameAndEquals("/Widget") || !needsAppearances(pdf)) return false;
    auto type = fieldType(annotation);
    return type == "/Tx" || type == "/Ch";
}

bool cqpdf_lacks_appearances(cqpdf_document *document, size_t index) {
    cqpdf_status status;
    bool lacks = false;
    guarded(&status, CQPDF_DAMAGED, [&] {
        for (auto &annotation : annotations(document->pages.at(index).object)) {
            if (lacksAppearance(document->pdf, annotation)) lacks = true;
        }
    });
    return lacks;
}

const char *cqpdf_undrawable_annotation(cqpdf_document *document, size_t index) {
    // The subtypes that ISO 32000-1 §12.5.6 describes in sufficient detail.
    static std::set<std::string> const drawable{
        "/Widget", "/Text", "/FreeText", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine", "/Highlight",
        "/Underline", "/Squiggly", "/StrikeOut", "/Ink", "/FileAttachment"};
    cqpdf_status status;
    document->undrawable.clear();
    guarded(&status, CQPDF_DAMAGED, [&] {
        for (auto &annotation : annotations(document->pages.at(index).object)) {
            if (!lacksAppearance(document->pdf, annotation)) continue;
            auto subtype = annotation.getKey("/Subtype");
            bool isKnown = subtype.isName() && drawable.count(subtype.getName()) > 0;
            if (!isKnown) document->undrawable = subtype.isName() ? subtype.getName().substr(1) : "unknown";
        }
    });
    return document->undrawable.empty() ? nullptr : document->undrawable.c_str();
}

bool cqpdf_write_annotations(
    cqpdf_document *document, const size_t *pages, size_t count, const char *path, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        // Modify a copy, because the document itself will be imposed later.
        cqpdf_document copy(document->path.c_str());
        copy.open(document->password ? document->password->c_str() : nullptr, document->ignoresEncryption);
        copy.readPages();
        for (auto &page : copy.pages) {
            // Fields refer to their pages, so the remaining entries of these pages would be written as well.
            for (auto key : {"/Contents", "/Resources", "/Thumb", "/PieceInfo"}) page.object.removeKey(key);
        }
        auto tree = copy.pdf.makeIndirectObject(QPDFObjectHandle::parse("<< /Type /Pages /Kids [] >>"));
        for (size_t index = 0; index < count; index++) {
            auto &page = copy.pages.at(pages[index]);
            strip(copy, page);
            page.object.replaceKey("/Parent", tree);
            tree.getKey("/Kids").appendItem(page.object);
        }
        tree.replaceKey("/Count", QPDFObjectHandle::newInteger(static_cast<long long>(count)));
        auto root = copy.pdf.getRoot();
        root.replaceKey("/Pages", tree);
        for (auto key : {"/Names", "/Outlines", "/StructTreeRoot", "/Metadata", "/OpenAction", "/AA", "/Threads"}) {
            root.removeKey(key);
        }
        QPDFWriter writer(copy.pdf, path);
        writer.setPreserveEncryption(false);
        writer.setStaticID(true);
        writer.write();
    });
}

bool cqpdf_set_overlay(cqpdf_document *document, size_t page, uint32_t overlay_document, size_t overlay_page) {
    if (page >= document->pages.size()) return false;
    document->pages[page].overlay = Page::Overlay{overlay_document, overlay_page};
    return true;
}
