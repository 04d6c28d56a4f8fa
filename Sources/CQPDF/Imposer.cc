#include "Imposer.hh"

#include <qpdf/Pl_Flate.hh>
#include <qpdf/QPDFAnnotationObjectHelper.hh>
#include <stdexcept>

#include "Status.hh"

namespace {

/// The data of several content streams as one, compressed (ISO 32000-1 §7.8.2: they are one, split at white space).
class JoinedContents : public QPDFObjectHandle::StreamDataProvider {
  public:
    explicit JoinedContents(std::vector<QPDFObjectHandle> parts) : parts(std::move(parts)) {}

    void provideStreamData(QPDFObjGen const &, Pipeline *pipeline) override {
        Pl_Flate flate("contents", pipeline, Pl_Flate::a_deflate);
        for (auto &part : parts) {
            auto data = part.getStreamData(qpdf_dl_generalized);
            flate.write(data->getBuffer(), data->getSize());
            flate.write(reinterpret_cast<unsigned char const *>("\n"), 1);
        }
        flate.finish();
    }

  private:
    std::vector<QPDFObjectHandle> parts;
};

std::vector<QPDFObjectHandle> contentStreams(Page &page) {
    auto contents = page.object.getKey("/Contents");
    if (contents.isStream()) return {contents};
    std::vector<QPDFObjectHandle> streams;
    if (contents.isArray()) {
        for (auto &item : contents.getArrayAsVector()) {
            if (item.isStream()) streams.push_back(item);
        }
    }
    return streams;
}

QPDFObjectHandle name(char const *text) { return QPDFObjectHandle::newName(text); }

char const colorTakerName[] = "/TakeColor";

/// Blending happens among the page's own marks, in RGB.
QPDFObjectHandle grayGroup() {
    return QPDFObjectHandle::newDictionary(
        {{"/S", name("/Transparency")}, {"/CS", name("/DeviceRGB")}, {"/I", QPDFObjectHandle::newBool(true)}});
}

/// A copy of a resource dictionary with more entries of one kind.
QPDFObjectHandle withResources(
    QPDFObjectHandle resources, char const *kind, std::map<std::string, QPDFObjectHandle> const &entries) {
    resources = resources.shallowCopy();
    auto named = resources.getKey(kind);
    named = named.isDictionary() ? named.shallowCopy() : QPDFObjectHandle::newDictionary();
    for (auto &entry : entries) named.replaceKey(entry.first, entry.second);
    resources.replaceKey(kind, named);
    return resources;
}

}  // namespace

Imposer::Imposer(cqpdf_plan const &plan) : plan(plan) {
    check();
    out.emptyPDF();
    pageTree = out.getRoot().getKey("/Pages");
    mediaBox = QPDFObjectHandle::newArray(QPDFObjectHandle::Rectangle(0, 0, plan.paper_width, plan.paper_height));
    for (size_t index = 0; index < plan.document_count; index++) {
        plan.documents[index]->readPages();
        copiers.push_back(std::make_unique<Copier>(out));
        inheritedResources.emplace_back(plan.documents[index]->inherited.size());
    }
    sidePages.resize(plan.side_count);
    if (plan.gray) {
        saturation = out.makeIndirectObject(QPDFObjectHandle::newDictionary({{"/BM", name("/Saturation")}}));
    }
}

/// Indices come from another language; one that leads nowhere is a mistake there, said here.
void Imposer::check() const {
    for (size_t index = 0; index < plan.placement_count; index++) {
        auto &placement = plan.placements[index];
        if (placement.document >= plan.document_count
            || placement.page >= plan.documents[placement.document]->pages.size()) {
            throw std::logic_error("the plan places a page that does not exist");
        }
    }
    for (size_t index = 0; index < plan.side_count; index++) {
        auto &side = plan.sides[index];
        bool inside = side.first <= plan.placement_count && side.count <= plan.placement_count - side.first;
        if (!inside || side.count == 0 || (!plan.shared_sides && side.count != 1)) {
            throw std::logic_error("the plan has a side of placements that do not exist");
        }
    }
    for (size_t index = 0; index < plan.order_count; index++) {
        if (plan.order[index] != CQPDF_BLANK && plan.order[index] >= plan.side_count) {
            throw std::logic_error("the plan prints a side that does not exist");
        }
    }
}

void Imposer::build(cqpdf_progress progress, void *context) {
    std::vector<QPDFObjectHandle> kids;
    kids.reserve(plan.order_count);
    for (size_t index = 0; index < plan.order_count; index++) {
        if (progress && index % 64 == 0 && !progress(context, index)) throw Canceled();
        auto side = plan.order[index];
        if (side == CQPDF_BLANK) {
            kids.push_back(blankPage());
        } else if (sidePages[side].isInitialized()) {
            // A further copy: a page of its own that refers to all that the first one has.
            kids.push_back(out.makeIndirectObject(sidePages[side].shallowCopy()));
        } else {
            kids.push_back(sidePages[side] = sidePage(side));
        }
    }
    addCatalogEntries();
    for (auto &copier : copiers) copier->finish();
    aimLinks();
    pageTree.replaceKey("/Count", QPDFObjectHandle::newInteger(static_cast<long long>(kids.size())));
    pageTree.replaceKey("/Kids", QPDFObjectHandle::newArray(kids));
}

QPDFObjectHandle Imposer::sidePage(size_t side) {
    auto &placements = plan.sides[side];
    return plan.shared_sides ? sharedPage(placements) : singlePage(placements.first);
}

QPDFObjectHandle Imposer::newPage() {
    return QPDFObjectHandle::newDictionary(
        {{"/Type", name("/Page")}, {"/Parent", pageTree}, {"/MediaBox", mediaBox}});
}

QPDFObjectHandle Imposer::blankPage() {
    auto page = newPage();
    page.replaceKey("/Resources", QPDFObjectHandle::newDictionary());
    return out.makeIndirectObject(page);
}

QPDFObjectHandle Imposer::singlePage(size_t index) {
    auto &placement = plan.placements[index];
    auto &source = plan.documents[placement.document]->pages[placement.page];
    auto &copier = *copiers[placement.document];
    auto page = newPage();
    auto dictionary = resources(placement.document, source);
    auto transparency = plan.gray ? grayGroup() : group(placement.document, source);
    if (!transparency.isNull()) page.replaceKey("/Group", transparency);

    Extras extras;
    addExtras(index, extras);
    if (plan.border) extras.content.add("0 G 0.5 w ").rectangle(placement.clip).add("S\n");
    extras.content.text += colorTaker();
    std::vector<QPDFObjectHandle> contents;
    for (auto &stream : contentStreams(source)) contents.push_back(copier.copy(stream));
    if (!placement.as_it_is || !extras.content.text.empty()) {
        Content before;
        before.add(whitePaper().c_str()).add("q\n");
        if (!placement.as_it_is) before.rectangle(placement.clip).add("W n\n").concatenate(placement.matrix);
        // Content that closes more than it opened must not undo the matrix.
        before.add("q q q q\n");
        contents.insert(contents.begin(), sharedStream(before.text));
        contents.push_back(sharedStream("\nQ Q Q Q Q\n" + extras.content.text));
    }
    if (!extras.xobjects.empty()) {
        copier.finish();
        dictionary = withResources(dictionary, "/XObject", extras.xobjects);
    }
    if (plan.gray) {
        copier.finish();
        dictionary = withResources(dictionary, "/ExtGState", {{colorTakerName, saturation}});
    }
    page.replaceKey("/Resources", dictionary);
    if (contents.size() == 1) {
        page.replaceKey("/Contents", contents[0]);
    } else if (!contents.empty()) {
        page.replaceKey("/Contents", QPDFObjectHandle::newArray(contents));
    }
    if (!extras.links.empty()) page.replaceKey("/Annots", QPDFObjectHandle::newArray(extras.links));
    return out.makeIndirectObject(page);
}

QPDFObjectHandle Imposer::sharedPage(cqpdf_side const &side) {
    auto page = newPage();
    Extras extras;
    auto &content = extras.content;
    content.text += whitePaper();
    for (size_t index = side.first; index < side.first + side.count; index++) {
        auto &placement = plan.placements[index];
        auto resource = "/P" + std::to_string(index - side.first);
        extras.xobjects[resource] = form(placement.document, placement.page);
        content.add("q\n").rectangle(placement.clip).add("W n\n").concatenate(placement.matrix);
        content.add(resource.c_str()).add(" Do\nQ\n");
        addExtras(index, extras);
        if (plan.border) content.add("q 0 G 0.5 w ").rectangle(placement.clip).add("S Q\n");
    }
    content.text += colorTaker();
    auto dictionary = withResources(QPDFObjectHandle::newDictionary(), "/XObject", extras.xobjects);
    if (plan.gray) {
        dictionary = withResources(dictionary, "/ExtGState", {{colorTakerName, saturation}});
        page.replaceKey("/Group", grayGroup());
    }
    page.replaceKey("/Resources", dictionary);
    page.replaceKey("/Contents", out.newStream(content.text));
    if (!extras.links.empty()) page.replaceKey("/Annots", QPDFObjectHandle::newArray(extras.links));
    return out.makeIndirectObject(page);
}

QPDFObjectHandle Imposer::form(uint32_t document, uint32_t index) {
    auto &made = forms[uint64_t(document) << 32 | index];
    if (made.isInitialized()) return made;
    auto &page = plan.documents[document]->pages[index];
    auto &box = page.geometry;
    std::map<std::string, QPDFObjectHandle> dictionary{
        {"/Type", name("/XObject")},
        {"/Subtype", name("/Form")},
        {"/BBox", QPDFObjectHandle::newArray(QPDFObjectHandle::Rectangle(box.left, box.bottom, box.right, box.top))},
        {"/Resources", resources(document, page)},
    };
    auto transparency = group(document, page);
    if (!transparency.isNull()) dictionary["/Group"] = transparency;
    auto contents = contentStreams(page);
    if (contents.size() == 1) {
        made = copiers[document]->copyStream(contents[0], dictionary);
    } else {
        made = out.newStream();
        made.replaceDict(QPDFObjectHandle::newDictionary(dictionary));
        made.replaceStreamData(
            std::make_shared<JoinedContents>(contents), name("/FlateDecode"), QPDFObjectHandle::newNull());
    }
    return made;
}

QPDFObjectHandle Imposer::resources(uint32_t document, Page &page) {
    auto &copier = *copiers[document];
    if (page.inheritedResources < 0) {
        auto own = page.object.getKey("/Resources");
        return own.isDictionary() ? copier.copy(own) : QPDFObjectHandle::newDictionary();
    }
    // Inherited dictionaries are often direct objects; copied once, they stay shared.
    auto &made = inheritedResources[document][size_t(page.inheritedResources)];
    if (!made.isInitialized()) {
        made = copier.copy(plan.documents[document]->inherited[size_t(page.inheritedResources)]);
        if (!made.isIndirect()) made = out.makeIndirectObject(made);
    }
    return made;
}

QPDFObjectHandle Imposer::group(uint32_t document, Page &page) {
    auto group = page.object.getKey("/Group");
    return group.isDictionary() ? copiers[document]->copy(group) : QPDFObjectHandle::newNull();
}

QPDFObjectHandle Imposer::sharedStream(std::string const &text) {
    auto &made = streams[text];
    if (!made.isInitialized()) made = out.newStream(text);
    return made;
}

/// Blending takes what lies beneath, so with `plan.gray` the paper itself is drawn.
std::string Imposer::whitePaper() const {
    if (!plan.gray) return "";
    double const paper[4] = {0, 0, plan.paper_width, plan.paper_height};
    return Content().add("1 g ").rectangle(paper).add("f\n").text;
}

/// Grey in the blend mode `Saturation` leaves lightness as it is and takes all colour away (ISO 32000-1 §11.3.5.3).
std::string Imposer::colorTaker() const {
    if (!plan.gray) return "";
    double const paper[4] = {0, 0, plan.paper_width, plan.paper_height};
    return Content().add("q ").add(colorTakerName).add(" gs 0.5 g ").rectangle(paper).add("f Q\n").text;
}

void Imposer::addExtras(size_t index, Extras &extras) {
    auto &placement = plan.placements[index];
    auto &document = *plan.documents[placement.document];
    auto &page = document.pages[placement.page];
    if (!page.object.hasKey("/Annots")) return;
    std::vector<Link> links;
    std::vector<Appearance> appearances;
    readAnnotations(document, page, links, appearances);

    Content drawn;
    for (auto &appearance : appearances) {
        auto resource = "/Annotation" + std::to_string(index) + "." + std::to_string(extras.xobjects.size());
        QPDFAnnotationObjectHelper object(appearance.annotation);
        auto text = object.getPageContentForAppearance(resource, page.geometry.turns * 90, an_print);
        if (text.empty()) continue;
        extras.xobjects[resource] = copiers[placement.document]->copy(appearance.stream);
        drawn.text += text;
    }
    if (!drawn.text.empty()) {
        extras.content.add("q\n").rectangle(placement.clip).add("W n\n").concatenate(placement.matrix);
        extras.content.text += drawn.text;
        extras.content.add("Q\n");
    }
    if (firstPlacements.empty() && !links.empty()) {
        firstPlacements.resize(plan.document_count);
        sideOfPlacement.resize(plan.placement_count);
        for (size_t side = 0; side < plan.side_count; side++) {
            for (size_t at = plan.sides[side].first; at < plan.sides[side].first + plan.sides[side].count; at++) {
                sideOfPlacement[at] = side;
                firstPlacements[plan.placements[at].document].emplace(plan.placements[at].page, at);
            }
        }
    }
    for (auto &link : links) {
        auto annotation = placedLink(link, placement.matrix);
        if (link.isInternal) {
            auto target = firstPlacements[placement.document].find(link.destination.page);
            if (target == firstPlacements[placement.document].end()) continue;  // its page is not printed
            annotation = out.makeIndirectObject(annotation);
            pendingLinks.push_back({annotation, placement.document, link.destination, target->second});
        } else {
            annotation.replaceKey(
                "/A", QPDFObjectHandle::newDictionary(
                          {{"/S", name("/URI")}, {"/URI", copiers[placement.document]->copy(link.action)}}));
            annotation = out.makeIndirectObject(annotation);
        }
        extras.links.push_back(annotation);
    }
}

void Imposer::aimLinks() {
    for (auto &link : pendingLinks) {
        auto &target = sidePages[sideOfPlacement[link.placement]];
        std::vector<QPDFObjectHandle> destination{target};
        if (link.destination.hasPoint) {
            auto &m = plan.placements[link.placement].matrix;
            auto [x, y] = std::pair(link.destination.x, link.destination.y);
            destination.push_back(name("/XYZ"));
            destination.push_back(QPDFObjectHandle::newReal(m[0] * x + m[2] * y + m[4], 2));
            destination.push_back(QPDFObjectHandle::newReal(m[1] * x + m[3] * y + m[5], 2));
            destination.push_back(QPDFObjectHandle::newNull());
        } else {
            destination.push_back(name("/Fit"));
        }
        link.annotation.replaceKey("/Dest", QPDFObjectHandle::newArray(destination));
    }
}
