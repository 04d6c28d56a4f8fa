#include "Annotations.hh"

#include <cmath>
#include <qpdf/QPDFAnnotationObjectHelper.hh>
#include <qpdf/QPDFMatrix.hh>
#include <qpdf/QPDFNameTreeObjectHelper.hh>

#include "Content.hh"

namespace {

bool isFinite(QPDFObjectHandle number) {
    return number.isNumber() && std::isfinite(number.getNumericValue()) && std::fabs(number.getNumericValue()) < 1e9;
}

bool isRectangle(QPDFObjectHandle object) {
    if (!object.isArray() || object.getArrayNItems() != 4) return false;
    for (int index = 0; index < 4; index++) {
        if (!isFinite(object.getArrayItem(index))) return false;
    }
    return true;
}

/// Returns the stream of an annotation's normal appearance; null if nothing is drawn.
///
/// Adds what viewers assume where an appearance is incomplete: the bounding box covers the annotation's rectangle.
QPDFObjectHandle normalAppearance(QPDFObjectHandle &annotation) {
    auto appearances = annotation.getKey("/AP");
    if (!appearances.isDictionary()) return QPDFObjectHandle::newNull();
    auto normal = appearances.getKey("/N");
    // A stream is the appearance in all states, but libqpdf finds no appearance if there is a state.
    if (normal.isStream()) annotation.removeKey("/AS");
    auto stream = QPDFAnnotationObjectHelper(annotation).getAppearanceStream("/N");
    if (!stream.isStream()) return QPDFObjectHandle::newNull();
    auto dictionary = stream.getDict();
    if (!isRectangle(dictionary.getKey("/BBox"))) {
        auto area = annotation.getKey("/Rect").getArrayAsRectangle();
        QPDFObjectHandle::Rectangle box(0, 0, area.urx - area.llx, area.ury - area.lly);
        dictionary.replaceKey("/BBox", QPDFObjectHandle::newArray(box));
    }
    if (!dictionary.getKey("/Subtype").isName()) dictionary.replaceKey("/Subtype", QPDFObjectHandle::newName("/Form"));
    return stream;
}

QPDFObjectHandle namedDestination(cqpdf_document &document, QPDFObjectHandle &name) {
    auto root = document.pdf.getRoot();
    if (name.isName()) {
        auto all = root.getKey("/Dests");
        return all.isDictionary() ? all.getKey(name.getName()) : QPDFObjectHandle::newNull();
    }
    auto names = root.getKey("/Names");
    if (!names.isDictionary() || !names.getKey("/Dests").isDictionary()) return QPDFObjectHandle::newNull();
    QPDFNameTreeObjectHelper tree(names.getKey("/Dests"), document.pdf, false);
    QPDFObjectHandle found;
    return tree.findObject(name.getUTF8Value(), found) ? found : QPDFObjectHandle::newNull();
}

/// Reads an explicit or named destination (ISO 32000-1 §12.3.2); false if it is not a page of the document.
bool readDestination(cqpdf_document &document, QPDFObjectHandle value, Destination &destination) {
    auto found = explicitDestination(document, value);
    value = found.array;
    if (!value.isArray()) return false;
    destination = {found.page, false, 0, 0};
    if (value.getArrayNItems() >= 4 && value.getArrayItem(1).isNameAndEquals("/XYZ")) {
        auto x = value.getArrayItem(2), y = value.getArrayItem(3);
        if (isFinite(x) && isFinite(y)) destination = {found.page, true, x.getNumericValue(), y.getNumericValue()};
    }
    return true;
}

bool readLink(cqpdf_document &document, QPDFObjectHandle &annotation, Link &link) {
    link.annotation = annotation;
    auto destination = annotation.getKey("/Dest");
    auto action = annotation.getKey("/A");
    if (action.isDictionary()) {
        auto kind = action.getKey("/S");
        if (kind.isNameAndEquals("/URI") && action.getKey("/URI").isString()) {
            link.isInternal = false;
            link.action = action.getKey("/URI");
            return true;
        }
        if (!kind.isNameAndEquals("/GoTo")) return false;
        destination = action.getKey("/D");
    }
    link.isInternal = true;
    return readDestination(document, destination, link.destination);
}

}  // namespace

ExplicitDestination explicitDestination(cqpdf_document &document, QPDFObjectHandle value) {
    ExplicitDestination nowhere{0, QPDFObjectHandle::newNull()};
    if (value.isName() || value.isString()) value = namedDestination(document, value);
    if (value.isDictionary()) value = value.getKey("/D");
    if (!value.isArray() || value.getArrayNItems() == 0) return nowhere;
    auto page = value.getArrayItem(0);
    if (!page.isIndirect()) return nowhere;
    auto index = document.indexOf(page.getObjGen());
    return index < 0 ? nowhere : ExplicitDestination{size_t(index), value};
}

void readAnnotations(
    cqpdf_document &document, Page &page, std::vector<Link> &links, std::vector<Appearance> &appearances) {
    auto annotations = page.object.getKey("/Annots");
    if (!annotations.isArray()) return;
    for (auto &annotation : annotations.getArrayAsVector()) {
        if (!annotation.isDictionary() || !isRectangle(annotation.getKey("/Rect"))) continue;
        // An invalid annotation must not prevent printing the page, so it is omitted.
        try {
            QPDFAnnotationObjectHelper object(annotation);
            auto flags = object.getFlags();
            if ((flags & an_hidden) || !document.layers().prints(annotation.getKey("/OC"))) continue;
            if (annotation.getKey("/Subtype").isNameAndEquals("/Link")) {
                Link link;
                if (readLink(document, annotation, link)) links.push_back(link);
            } else if (page.overlay && lacksAppearance(document.pdf, annotation)) {
                continue;  // the overlay draws it
            } else if ((flags & an_print) && !annotation.getKey("/Subtype").isNameAndEquals("/Popup")) {
                auto stream = normalAppearance(annotation);
                if (stream.isStream()) appearances.push_back({stream, annotation});
            }
        } catch (std::runtime_error const &error) {
            document.pdf.warn(qpdf_e_object, "", 0, std::string("an annotation was left out: ") + error.what());
        }
    }
}

std::string placedLink(Link const &link, double const matrix[6]) {
    QPDFMatrix placed(matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5]);
    QPDFObjectHandle from = link.annotation;
    auto box = placed.transformRectangle(from.getKey("/Rect").getArrayAsRectangle());
    Content text;
    text.add("/Type /Annot /Subtype /Link /F 4 /Border [0 0 0] /Rect [");
    text.number(box.llx, 4).number(box.lly, 4).number(box.urx, 4).number(box.ury, 4).add("]");
    auto quads = from.getKey("/QuadPoints");
    if (!quads.isArray() || quads.getArrayNItems() % 8 != 0) return text.text;
    Content points;
    auto numbers = quads.getArrayAsVector();
    for (size_t index = 0; index + 1 < numbers.size(); index += 2) {
        if (!isFinite(numbers[index]) || !isFinite(numbers[index + 1])) return text.text;
        double x, y;
        placed.transform(numbers[index].getNumericValue(), numbers[index + 1].getNumericValue(), x, y);
        points.number(x, 4).number(y, 4);
    }
    return text.text + " /QuadPoints [" + points.text + "]";
}
