// Adds annotations to a side: draws printed annotations, and keeps links.

#include <qpdf/QPDFAnnotationObjectHelper.hh>

#include "Imposer.hh"

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
        auto stream = copiers[placement.document]->copy(appearances[number].stream);
        extras.xobjects += resource + " " + stream + " ";
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
