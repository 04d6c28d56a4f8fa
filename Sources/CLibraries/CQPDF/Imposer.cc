#include "Imposer.hh"

#include <stdexcept>

#include "Status.hh"

Imposer::Imposer(cqpdf_plan const &plan, SheetFile &file) : plan(plan), file(file) {
    check();
    for (size_t index = 0; index < plan.document_count; index++) {
        copiers.push_back(std::make_unique<Copier>(file, plan.documents[index]->layers()));
        inheritedResources.emplace_back(plan.documents[index]->inherited.size());
    }
    sidePages.resize(plan.side_count);
    sideIsWritten.resize(plan.side_count);
    hasCopies = plan.order_count > plan.side_count;
    if (hasCopies) sideEntries.resize(plan.side_count);
}

/// Checks the indices in the plan, which come from Swift; an invalid index is a programming error.
void Imposer::check() const {
    for (size_t index = 0; index < plan.placement_count; index++) {
        auto &placement = plan.placements[index];
        if (placement.document >= plan.document_count
            || placement.page >= plan.documents[placement.document]->pages.size()) {
            throw std::logic_error("the plan places a page that does not exist");
        }
        auto &overlay = plan.documents[placement.document]->pages[placement.page].overlay;
        if (overlay
            && (overlay->document >= plan.document_count
                || overlay->page >= plan.documents[overlay->document]->pages.size())) {
            throw std::logic_error("the plan lays a page over another that does not exist");
        }
    }
    for (size_t index = 0; index < plan.side_count; index++) {
        auto &side = plan.sides[index];
        bool inside = side.first <= plan.placement_count && side.count <= plan.placement_count - side.first;
        if (!inside || side.count == 0) {
            throw std::logic_error("the plan has a side of placements that do not exist");
        }
    }
    for (size_t index = 0; index < plan.order_count; index++) {
        if (plan.order[index] != CQPDF_BLANK && plan.order[index] >= plan.side_count) {
            throw std::logic_error("the plan prints a side that does not exist");
        }
    }
}

void Imposer::run(cqpdf_progress progress, void *context) {
    int catalog = file.reserve();
    pageTree = file.reserve();
    for (size_t index = 0; index < plan.order_count; index++) {
        if (progress && index % 64 == 0 && !progress(context, index)) throw Canceled();
        addSide(plan.order[index]);
    }
    finishNode();
    double const paper[4] = {0, 0, plan.paper_width, plan.paper_height};
    file.write(
        pageTree, "<< /Type /Pages /Count " + std::to_string(plan.order_count) + " /Kids [" + nodes + "] /MediaBox ["
                      + Content().numbers(paper, 4).text + "] >>");
    writeCatalog(catalog, pageTree);
    file.finish(catalog, titleEntry());
}

void Imposer::addSide(uint32_t index) {
    int parent = pageTreeNode();
    std::string entries = "/Resources << >>";
    int object;
    if (index == CQPDF_BLANK) {
        object = file.reserve();
    } else if (!sideIsWritten[index]) {
        sideIsWritten[index] = true;
        auto &side = plan.sides[index];
        bool isUnchanged = !plan.shared_sides && side.count == 1 && plan.placements[side.first].as_it_is;
        entries = isUnchanged ? unchangedPage(side.first) : composedPage(side);
        for (auto &copier : copiers) copier->finish();
        if (hasCopies) sideEntries[index] = entries;
        object = sidePage(index);
    } else {
        // A further copy is a separate page object that refers to the content of the first copy.
        entries = sideEntries[index];
        object = file.reserve();
    }
    file.write(object, "<< /Type /Page /Parent " + reference(parent) + " " + entries + " >>");
    kids += reference(object) + " ";
    kidCount++;
}

/// Returns the current node of the page tree, which has two levels so that readers find a page among 100,000 quickly.
int Imposer::pageTreeNode() {
    if (kidCount == 400) finishNode();
    if (node == 0) node = file.reserve();
    return node;
}

void Imposer::finishNode() {
    if (node == 0) return;
    file.write(
        node, "<< /Type /Pages /Parent " + reference(pageTree) + " /Count " + std::to_string(kidCount) + " /Kids ["
                  + kids + "] >>");
    nodes += reference(node) + " ";
    kids.clear();
    kidCount = 0;
    node = 0;
}

int Imposer::sidePage(size_t side) {
    if (sidePages[side] == 0) sidePages[side] = file.reserve();
    return sidePages[side];
}

// MARK: - C interface

bool cqpdf_impose(
    const cqpdf_plan *plan, const char *path, cqpdf_progress progress, void *context, cqpdf_status *status) {
    int writeError = 0;
    bool done = guarded(status, CQPDF_DAMAGED, [&] {
        PDFVersion version(1, 4);
        for (size_t index = 0; index < plan->document_count; index++) {
            plan->documents[index]->readPages();
            version.updateIfGreater(plan->documents[index]->pdf.getVersionAsPDFVersion());
        }
        std::string number;
        int extension = 0;
        version.getVersion(number, extension);
        try {
            SheetFile file(path, number);
            Imposer(*plan, file).run(progress, context);
        } catch (WriteFailure const &failure) {
            writeError = failure.error;
        }
    });
    if (!done || writeError == 0) return done;
    fail(status, CQPDF_UNWRITABLE, std::strerror(writeError), writeError);
    return false;
}
