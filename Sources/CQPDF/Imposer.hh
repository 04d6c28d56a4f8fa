// Makes sides of sheets of pages.

#pragma once

#include <map>
#include <memory>
#include <qpdf/QPDF.hh>
#include <string>
#include <unordered_map>
#include <vector>

#include "Annotations.hh"
#include "Content.hh"
#include "Copier.hh"
#include "Document.hh"

/// Builds the planned document.
///
/// A page that has a side to itself keeps its content streams, between a stream that moves it and one that closes; pages
/// that share a side become form XObjects. In both cases the streams' bytes stay as they are, and what pages share
/// (fonts, images, resource dictionaries) is copied once.
class Imposer {
  public:
    explicit Imposer(cqpdf_plan const &plan);

    /// Lays out all sides.
    void build(cqpdf_progress progress, void *context);
    /// Writes the result; throws `WriteFailure` when the file cannot be written.
    void write(char const *path, cqpdf_progress progress, void *context);

  private:
    struct PendingLink {
        QPDFObjectHandle annotation;
        uint32_t document;
        Destination destination;
        size_t placement;
    };
    /// What is drawn and linked on a side beyond its pages' content.
    struct Extras {
        std::map<std::string, QPDFObjectHandle> xobjects;
        std::vector<QPDFObjectHandle> links;
        Content content;
    };

    void check() const;
    QPDFObjectHandle sidePage(size_t side);
    QPDFObjectHandle singlePage(size_t placement);
    QPDFObjectHandle sharedPage(cqpdf_side const &side);
    QPDFObjectHandle blankPage();
    QPDFObjectHandle newPage();
    QPDFObjectHandle form(uint32_t document, uint32_t page);
    QPDFObjectHandle resources(uint32_t document, Page &page);
    QPDFObjectHandle group(uint32_t document, Page &page);
    QPDFObjectHandle sharedStream(std::string const &text);
    std::string whitePaper() const;
    std::string colorTaker() const;
    void addExtras(size_t placement, Extras &extras);
    void aimLinks();
    void addCatalogEntries();

    cqpdf_plan const &plan;
    QPDF out;
    QPDFObjectHandle pageTree, mediaBox;
    /// With `plan.gray`: the graphics state that takes the colour from what is beneath.
    QPDFObjectHandle saturation;
    std::vector<std::unique_ptr<Copier>> copiers;
    std::vector<std::vector<QPDFObjectHandle>> inheritedResources;
    std::map<std::string, QPDFObjectHandle> streams;
    std::unordered_map<uint64_t, QPDFObjectHandle> forms;
    std::vector<QPDFObjectHandle> sidePages;
    std::vector<PendingLink> pendingLinks;
    /// Where each page of each document first appears, made when the first link asks.
    std::vector<std::unordered_map<size_t, size_t>> firstPlacements;
    std::vector<size_t> sideOfPlacement;
};

/// Writing failed with an errno value.
struct WriteFailure {
    int error;
};
