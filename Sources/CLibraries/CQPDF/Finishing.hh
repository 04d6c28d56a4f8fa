// Defines a drawn document that is being completed.

#pragma once

#include <map>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>
#include <vector>

#include "CQPDFFinish.h"

struct OutlineEntry {
    size_t level;
    QPDFObjectHandle object;
};

struct PendingLink {
    size_t page;
    QPDFObjectHandle annotation;
    /// The named destination; empty for a link to a URI.
    std::string destination;
};

struct cqpdf_finishing {
    using Handle = QPDFObjectHandle;

    QPDF pdf;
    std::vector<QPDFPageObjectHelper> pages;
    std::vector<PendingLink> links;
    std::map<std::string, Handle> destinations;
    std::vector<OutlineEntry> outline;
    /// Image objects with the markers in their data; read when the first page is placed.
    std::vector<std::pair<std::string, Handle>> markers;
    bool markersRead = false;
    /// The color spaces of ICC profiles, by the names of their resources.
    std::map<std::string, Handle> profiles;
    /// Whether pages of other documents were placed.
    bool hasForms = false;
    /// Whether the document is written as PDF/A.
    bool isArchive = false;
    /// Whether the document is written with attachments as PDF/A.
    bool allowsAttachments = true;

    Handle page(size_t index) { return pages.at(index).getObjectHandle(); }
    Handle placeOn(size_t page, double x, double y);
    void readMarkers();
    void addLinks();
    void addDestinations();
    void addOutline();
    /// Removes and completes entries as PDF/A requires, and throws `Nonconforming` for content that PDF/A does not
    /// allow.
    void makeArchive();
};
