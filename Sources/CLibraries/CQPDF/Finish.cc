// Adds links, outline, attachments and metadata to a PDF after its pages are drawn.

#include "Finishing.hh"

#include <qpdf/Buffer.hh>
#include <qpdf/Pl_Buffer.hh>
#include <qpdf/QPDFEFStreamObjectHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFMatrix.hh>
#include <qpdf/QPDFNameTreeObjectHelper.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include "Document.hh"
#include "Status.hh"

namespace {

/// Returns a matrix with enough decimals to map a page to the unit square; libqpdf's five decimals would move the edges
/// by whole points.
QPDFObjectHandle matrix(QPDFMatrix const &from) {
    auto array = QPDFObjectHandle::newArray();
    for (auto number : {from.a, from.b, from.c, from.d, from.e, from.f}) {
        array.appendItem(QPDFObjectHandle::newReal(number, 12));
    }
    return array;
}

using Handle = QPDFObjectHandle;

Handle real(double value) { return Handle::newReal(value, 4); }

Handle rectangle(double const rect[4]) {
    return Handle::newArray(Handle::Rectangle(rect[0], rect[1], rect[2], rect[3]));
}

}  // namespace

Handle cqpdf_finishing::placeOn(size_t page, double x, double y) {
    return Handle::newArray(
        {this->page(page), Handle::newName("/XYZ"), real(x), real(y), Handle::newNull()});
}

void cqpdf_finishing::readMarkers() {
    if (markersRead) return;
    markersRead = true;
    for (auto &object : pdf.getAllObjects()) {
        if (!object.isStream()) continue;
        auto dictionary = object.getDict();
        if (!dictionary.getKey("/Subtype").isNameAndEquals("/Image") ||
            !dictionary.getKey("/Filter").isNameAndEquals("/DCTDecode"))
            continue;
        auto length = dictionary.getKey("/Length");
        if (!length.isInteger() || length.getIntValue() > 400) continue;
        auto data = object.getRawStreamData();
        markers.emplace_back(
            std::string(reinterpret_cast<char const *>(data->getBuffer()), data->getSize()), object);
    }
}

void cqpdf_finishing::addLinks() {
    for (auto &link : links) {
        if (!link.destination.empty()) {
            if (destinations.find(link.destination) == destinations.end()) continue;
            link.annotation.replaceKey("/Dest", Handle::newUnicodeString(link.destination));
        }
        auto page = this->page(link.page);
        if (!page.getKey("/Annots").isArray()) page.replaceKey("/Annots", Handle::newArray());
        page.getKey("/Annots").appendItem(pdf.makeIndirectObject(link.annotation));
    }
}

void cqpdf_finishing::addDestinations() {
    if (destinations.empty()) return;
    auto tree = QPDFNameTreeObjectHelper::newEmpty(pdf, false);
    for (auto &entry : destinations) tree.insert(entry.first, entry.second);
    auto root = pdf.getRoot();
    if (!root.getKey("/Names").isDictionary()) root.replaceKey("/Names", Handle::newDictionary());
    root.getKey("/Names").replaceKey("/Dests", tree.getObjectHandle());
}

void cqpdf_finishing::addOutline() {
    if (outline.empty()) return;
    auto root = pdf.makeIndirectObject(Handle::newDictionary());
    root.replaceKey("/Type", Handle::newName("/Outlines"));
    // The open entries, from the root to the entry added last.
    std::vector<Handle> open{root};
    for (auto &entry : outline) {
        open.resize(std::min(entry.level + 1, open.size()));
        auto parent = open.back();
        entry.object.replaceKey("/Parent", parent);
        if (parent.hasKey("/Last")) {
            auto before = parent.getKey("/Last");
            before.replaceKey("/Next", entry.object);
            entry.object.replaceKey("/Prev", before);
        } else {
            parent.replaceKey("/First", entry.object);
        }
        parent.replaceKey("/Last", entry.object);
        for (auto &above : open) {
            auto count = above.getKey("/Count");
            above.replaceKey("/Count", Handle::newInteger(count.isInteger() ? count.getIntValue() + 1 : 1));
        }
        open.push_back(entry.object);
    }
    pdf.getRoot().replaceKey("/Outlines", root);
    pdf.getRoot().replaceKey("/PageMode", Handle::newName("/UseOutlines"));
}

cqpdf_finishing *cqpdf_finish_open(const char *path, cqpdf_status *status) {
    std::unique_ptr<cqpdf_finishing> finishing;
    bool opened = guarded(status, CQPDF_DAMAGED, [&] {
        finishing = std::make_unique<cqpdf_finishing>();
        finishing->pdf.setSuppressWarnings(true);
        finishing->pdf.processFile(path);
        finishing->pages = QPDFPageDocumentHelper(finishing->pdf).getAllPages();
    });
    return opened ? finishing.release() : nullptr;
}

void cqpdf_finish_close(cqpdf_finishing *finishing) { delete finishing; }

bool cqpdf_finish_link(
    cqpdf_finishing *finishing, size_t page, const double rect[4], const char *uri, const char *destination,
    cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto link = Handle::parse("<< /Type /Annot /Subtype /Link /F 4 /Border [0 0 0] >>");
        link.replaceKey("/Rect", rectangle(rect));
        if (uri) {
            auto action = Handle::parse("<< /S /URI >>");
            action.replaceKey("/URI", Handle::newString(uri));
            link.replaceKey("/A", action);
        }
        finishing->links.push_back({page, link, uri ? "" : destination});
    });
}

bool cqpdf_finish_destination(
    cqpdf_finishing *finishing, const char *name, size_t page, double x, double y, cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        finishing->destinations.emplace(name, finishing->placeOn(page, x, y));
    });
}

bool cqpdf_finish_outline(
    cqpdf_finishing *finishing, const char *title, size_t level, size_t page, double x, double y,
    cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto entry = finishing->pdf.makeIndirectObject(Handle::newDictionary());
        entry.replaceKey("/Title", Handle::newUnicodeString(title));
        entry.replaceKey("/Dest", finishing->placeOn(page, x, y));
        finishing->outline.push_back({level, entry});
    });
}

bool cqpdf_finish_attachment(
    cqpdf_finishing *finishing, const char *name, const char *description, const char *type, const char *relationship,
    const char *date, const void *data, size_t size, cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto bytes = std::string(static_cast<char const *>(data), size);
        auto stream = QPDFEFStreamObjectHelper::createEFStream(finishing->pdf, bytes);
        if (*type) stream.setSubtype(type);
        stream.setModDate(date);
        auto specification = QPDFFileSpecObjectHelper::createFileSpec(finishing->pdf, name, stream);
        if (*description) specification.setDescription(description);
        QPDFEmbeddedFileDocumentHelper(finishing->pdf).replaceEmbeddedFile(name, specification);
        if (!relationship) return;
        auto file = specification.getObjectHandle();
        file.replaceKey("/AFRelationship", Handle::newName(std::string("/") + relationship));
        auto root = finishing->pdf.getRoot();
        if (!root.getKey("/AF").isArray()) root.replaceKey("/AF", Handle::newArray());
        root.getKey("/AF").appendItem(file);
    });
}

bool cqpdf_finish_box(
    cqpdf_finishing *finishing, size_t page, const char *key, const double rect[4], cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] { finishing->page(page).replaceKey(key, rectangle(rect)); });
}

bool cqpdf_finish_metadata(cqpdf_finishing *finishing, const void *data, size_t size, cqpdf_status *status) {
    return guarded(status, CQPDF_INTERNAL, [&] {
        auto stream = Handle::newStream(&finishing->pdf, std::string(static_cast<char const *>(data), size));
        stream.getDict().replaceKey("/Type", Handle::newName("/Metadata"));
        stream.getDict().replaceKey("/Subtype", Handle::newName("/XML"));
        finishing->pdf.getRoot().replaceKey("/Metadata", stream);
    });
}

bool cqpdf_finish_form(
    cqpdf_finishing *finishing, const char *marker, cqpdf_document *source, size_t page, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        finishing->readMarkers();
        finishing->hasForms = true;
        auto &from = source->pages.at(page);
        auto form = finishing->pdf.copyForeignObject(
            QPDFPageObjectHelper(from.object).getFormXObjectForPage(false));
        auto &box = from.geometry;
        // Maps the page's box, in display rotation, to the unit square of an image.
        QPDFMatrix turned;
        switch (box.turns) {
        case 1: turned = QPDFMatrix(0, -1, 1, 0, 0, 1); break;
        case 2: turned = QPDFMatrix(-1, 0, 0, -1, 1, 1); break;
        case 3: turned = QPDFMatrix(0, 1, -1, 0, 1, 0); break;
        default: break;
        }
        turned.scale(1 / (box.right - box.left), 1 / (box.top - box.bottom));
        turned.translate(-box.left, -box.bottom);
        auto dictionary = form.getDict();
        double const edges[4] = {box.left, box.bottom, box.right, box.top};
        dictionary.replaceKey("/BBox", rectangle(edges));
        dictionary.replaceKey("/Matrix", matrix(turned));
        for (auto &found : finishing->markers) {
            if (found.first.find(marker) == std::string::npos) continue;
            // The image object itself becomes the form, so that all references to the image show the page.
            Pl_Buffer content("page");
            QPDFPageObjectHelper(from.object).pipeContents(&content);
            found.second.replaceDict(dictionary);
            found.second.replaceStreamData(content.getBufferSharedPointer(), Handle::newNull(), Handle::newNull());
            return;
        }
    });
}

bool cqpdf_finish_write(
    cqpdf_finishing *finishing, const char *path, const char *user_password, const char *owner_password,
    cqpdf_permissions permissions, cqpdf_status *status) {
    return guarded(status, CQPDF_UNWRITABLE, [&] {
        finishing->addLinks();
        finishing->addDestinations();
        finishing->addOutline();
        if (finishing->isArchive) finishing->makeArchive();
        QPDFWriter writer(finishing->pdf, path);
        if (finishing->isArchive) {
            writer.setMinimumPDFVersion("1.7");
            // PDF/A requires a line break before `endstream`.
            writer.setNewlineBeforeEndstream(true);
        }
        if (user_password || owner_password) {
            auto print = permissions.print_well ? qpdf_r3p_full : permissions.print ? qpdf_r3p_low : qpdf_r3p_none;
            writer.setR6EncryptionParameters(
                user_password ? user_password : "", owner_password ? owner_password : "", true, permissions.copy,
                permissions.assemble, permissions.comment, permissions.comment, permissions.change, print, true);
        }
        writer.write();
    });
}
