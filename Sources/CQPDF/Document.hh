// An open document and its pages.

#pragma once

#include <cstddef>
#include <cstdint>
#include <qpdf/QPDF.hh>
#include <string>
#include <unordered_map>
#include <vector>

#include "CQPDF.h"

/// A page with what it inherits from its page tree.
struct Page {
    QPDFObjectHandle object;
    /// An index into `cqpdf_document::inherited`, or -1 when the resources are the page's own or there are none.
    int32_t inheritedResources = -1;
    cqpdf_geometry geometry;
};

/// A file's bytes as memory, or nothing when it cannot be had that way.
class MappedFile {
  public:
    explicit MappedFile(char const *path);
    ~MappedFile();
    MappedFile(MappedFile const &) = delete;
    MappedFile &operator=(MappedFile const &) = delete;

    char const *data = nullptr;
    size_t size = 0;
};

struct cqpdf_document {
    explicit cqpdf_document(char const *path) : file(path) {}

    // Declared first, so that it outlives all that reads from it.
    MappedFile file;
    QPDF pdf;
    std::string title;
    bool titleRead = false;
    std::vector<QPDFExc> complaints;
    std::string firstComplaint;

    std::vector<Page> pages;
    /// Resource dictionaries of page tree nodes, each shared by all pages below.
    std::vector<QPDFObjectHandle> inherited;
    bool pagesRead = false;

    /// Reads the whole page tree, once. Loops and depth do no harm.
    void readPages();
    /// Reads the page tree as far as its first page.
    bool firstPage(Page &page);
    /// The page object's place in `pages`, or -1; for links.
    int64_t indexOf(QPDFObjGen object);

  private:
    std::unordered_map<uint64_t, size_t> indices;
    bool walk(size_t limit, std::vector<Page> &found, std::vector<QPDFObjectHandle> &resources);
};
