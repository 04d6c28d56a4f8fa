// Adds annotations to a side: draws printed annotations, and keeps links.

#include <qpdf/QPDFAnnotationObjectHelper.hh>
#include <qpdf/QPDFMatrix.hh>

#include "Imposer.hh"

namespace {

/// Returns whether a group with normal blending has the same result as its content without the group: neither isolated
/// nor knockout (ISO 32000-1 §11.4.7).
bool isDispensable(QPDFObjectHandle group) {
    auto isTrue = [&](char const *key) { return group.getKey(key).isBool() && group.getKey(key).getBoolValue(); };
    return !isTrue("/I") && !isTrue("/K");
}

/// Returns whether a form draws another form that is a group.
bool drawsGroup(QPDFObjectHandle form, int deepest = 3) {
    auto resources = form.getDict().getKey("/Resources");
    auto objects = resources.isDictionary() ? resources.getKey("/XObject") : QPDFObjectHandle::newNull();
    if (deepest == 0 || !objects.isDictionary()) return false;
    for (auto &entry : objects.getDictAsMap()) {
        auto object = entry.second;
        if (!object.isStream()) continue;
        if (object.getDict().getKey("/Group").isDictionary() || drawsGroup(object, deepest - 1)) return true;
    }
    return false;
}

/// Returns the blend mode with which an annotation is drawn as a whole, as a name; empty for normal blending.
///
/// The content of an isolated group, or of a group in the appearance, cannot blend with the page, so a highlight with
/// such a group would cover the text.
std::string blendMode(Appearance &appearance) {
    auto mode = appearance.annotation.getKey("/BM");  // ISO 32000-2 §12.5.2
    if (mode.isName()) return mode.isNameAndEquals("/Normal") ? "" : nameText(mode.getName());
    auto group = appearance.stream.getDict().getKey("/Group");
    bool isHighlight = appearance.annotation.getKey("/Subtype").isNameAndEquals("/Highlight");
    bool isOpaque = group.isDictionary() && !isDispensable(group) || drawsGroup(appearance.stream);
    return isHighlight && isOpaque ? "/Multiply" : "";
}

}  // namespace

/// Returns a reference to a form that draws an appearance so that its colors blend with the page.
///
/// Renderers draw groups on transparent pixels, although only isolated groups require this. The content of any other
/// group therefore becomes a part of the page.
std::string Imposer::appearanceForm(uint32_t document, Appearance &appearance) {
    auto &copier = *copiers[document];
    auto dictionary = appearance.stream.getDict();
    auto group = dictionary.getKey("/Group");
    auto mode = blendMode(appearance);
    if (mode.empty() && (!group.isDictionary() || !isDispensable(group))) return copier.copy(appearance.stream);
    if (mode.empty()) {
        auto &made = ungroupedForms[{document, objectKey(appearance.stream.getObjGen())}];
        if (made != 0) return reference(made);
        std::string entries;
        for (auto &entry : dictionary.getDictAsMap()) {
            auto &key = entry.first;
            if (key == "/Group" || key == "/Length" || key == "/Filter" || key == "/DecodeParms") continue;
            entries += nameText(key) + " " + copier.copy(entry.second) + " ";
        }
        return reference(made = copier.copyStream(appearance.stream, entries));
    }
    QPDFMatrix matrix;
    if (dictionary.getKey("/Matrix").isMatrix()) matrix = QPDFMatrix(dictionary.getKey("/Matrix").getArrayAsMatrix());
    auto area = matrix.transformRectangle(dictionary.getKey("/BBox").getArrayAsRectangle());
    double const box[4] = {area.llx, area.lly, area.urx, area.ury};
    int object = file.reserve();
    std::string const content = "/B gs /A Do";
    file.write(
        object,
        "/Type /XObject /Subtype /Form /BBox [" + Content().numbers(box, 4).text + "] /Resources << /ExtGState << /B <<"
            + " /BM " + mode + " >> >> /XObject << /A " + copier.copy(appearance.stream) + " >> >>",
        content.data(), content.size());
    return reference(object);
}

void Imposer::addAnnotations(size_t index, Extras &extras) {
    auto &placement = plan.placements[index];
    auto &document = *plan.documents[placement.document];
    auto &page = document.pages[placement.page];
    if (!page.object.hasKey("/Annots") && !page.overlay) return;
    std::vector<Link> found;
    std::vector<Appearance> appearances;
    readAnnotations(document, page, found, appearances);

    std::string drawn;
    for (size_t number = 0; number < appearances.size(); number++) {
        auto resource = "/Annotation" + std::to_string(index) + "." + std::to_string(number);
        QPDFAnnotationObjectHelper annotation(appearances[number].annotation);
        auto text = annotation.getPageContentForAppearance(resource, page.geometry.turns * 90, an_print);
        if (text.empty()) continue;
        auto form = appearanceForm(placement.document, appearances[number]);
        extras.xobjects += resource + " " + form + " ";
        drawn += text;
    }
    if (page.overlay) {
        auto resource = "/Overlay" + std::to_string(index);
        auto &overlay = plan.documents[page.overlay->document]->pages.at(page.overlay->page).geometry;
        Content text;
        double const matrix[6] = {
            1, 0, 0, 1, page.geometry.left - overlay.left, page.geometry.bottom - overlay.bottom};
        text.add("q ").concatenate(matrix).add(resource.c_str()).add(" Do Q\n");
        // Not a separate transparency group, because highlighters must multiply with the content of the page.
        extras.xobjects += resource + " " + reference(form(page.overlay->document, page.overlay->page, false)) + " ";
        drawn += text.text;
    }
    if (!drawn.empty()) {
        extras.content.add("q\n").rectangle(placement.clip).add("W n\n").concatenate(placement.matrix);
        extras.content.add(drawn.c_str()).add("Q\n");
    }
    for (auto &link : found) {
        auto where = aim(link, placement.document);
        if (where.empty()) continue;
        int object = file.reserve();
        file.write(object, "<< " + placedLink(link, placement.matrix) + where + " >>");
        extras.links += reference(object) + " ";
    }
}

/// Returns the target of a link as text; empty if its page is not printed.
std::string Imposer::aim(Link const &link, uint32_t document) {
    if (!link.isInternal) return " /A << /S /URI /URI " + copiers[document]->copy(link.action) + " >>";
    findPlacements();
    auto found = firstPlacements[document].find(link.destination.page);
    if (found == firstPlacements[document].end()) return "";
    auto text = " /Dest [" + reference(sidePage(sideOfPlacement[found->second]));
    if (!link.destination.hasPoint) return text + " /Fit]";
    auto &m = plan.placements[found->second].matrix;
    auto [x, y] = std::pair(link.destination.x, link.destination.y);
    Content point;
    point.number(m[0] * x + m[2] * y + m[4], 2).number(m[1] * x + m[3] * y + m[5], 2);
    return text + " /XYZ " + point.text + "null]";
}

void Imposer::findPlacements() {
    if (!firstPlacements.empty()) return;
    firstPlacements.resize(plan.document_count);
    sideOfPlacement.resize(plan.placement_count);
    for (size_t side = 0; side < plan.side_count; side++) {
        for (size_t index = plan.sides[side].first; index < plan.sides[side].first + plan.sides[side].count; index++) {
            sideOfPlacement[index] = side;
            firstPlacements[plan.placements[index].document].emplace(plan.placements[index].page, index);
        }
    }
}
