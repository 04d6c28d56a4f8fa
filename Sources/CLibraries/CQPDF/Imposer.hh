// Imposes pages on the sides of sheets.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "Annotations.hh"
#include "Content.hh"
#include "Copier.hh"
#include "Document.hh"
#include "SheetFile.hh"

/// Writes the planned document.
///
/// A page that fills its paper keeps its content streams. Any other page becomes a form XObject, which is drawn at the
/// position of the page. The pattern space of a form is the space of the form (ISO 32000-1 §8.7.3.1), so patterns and
/// gradients move with the page; a `cm` operator before the content would not move them. In both cases the stream data
/// is unchanged, unless poppler would stop at it. Objects that pages share (fonts, images, resource dictionaries) are
/// copied once.
class Imposer {
  public:
    Imposer(cqpdf_plan const &plan, SheetFile &file);

    /// Writes all sides, the page tree, the catalog and the trailer.
    void run(cqpdf_progress progress, void *context);

  private:
    /// The parts of a side in addition to the content of its pages.
    struct Extras {
        /// The entries of `XObject` in the resource dictionary.
        std::string xobjects;
        std::string links;
        /// The entries of `ExtGState` in the resource dictionary.
        std::string graphicsStates;
        Content content;
    };

    void check() const;
    void addSide(uint32_t index);
    int pageTreeNode();
    void finishNode();

    std::string unchangedPage(size_t placement);
    std::string composedPage(cqpdf_side const &side);
    int form(uint32_t document, size_t page, bool isGroup);
    std::string resources(uint32_t document, Page &page, std::string const &xobjects = "");
    std::string group(uint32_t document, Page &page);
    int sharedStream(std::string const &text);
    void addBorder(cqpdf_placement const &placement, Content &content) const;
    void addAnnotations(size_t placement, Extras &extras);
    std::string appearanceForm(uint32_t document, Appearance &appearance);
    std::string aim(Link const &link, uint32_t document);
    void findPlacements();
    int sidePage(size_t side);

    void writeCatalog(int object, int pageTree);
    std::string titleEntry();

    cqpdf_plan const &plan;
    SheetFile &file;
    std::vector<std::unique_ptr<Copier>> copiers;
    /// The copies of the resources that pages inherit from page tree nodes, by document.
    std::vector<std::vector<std::string>> inheritedResources;
    std::map<std::string, int> streams;
    std::unordered_map<uint64_t, int> forms;
    /// The copies of appearances without their groups, by document and source object.
    std::map<std::pair<uint32_t, uint64_t>, int> ungroupedForms;

    /// The first page object of each side; 0 until it is reserved.
    std::vector<int> sidePages;
    /// The entries of each side's page object, kept for copies.
    std::vector<std::string> sideEntries;
    std::vector<bool> sideIsWritten;
    bool hasCopies;
    /// The first placement of each page of each document; filled for the first link.
    std::vector<std::unordered_map<size_t, size_t>> firstPlacements;
    std::vector<size_t> sideOfPlacement;

    int pageTree = 0, node = 0;
    size_t kidCount = 0;
    std::string kids, nodes;
};
