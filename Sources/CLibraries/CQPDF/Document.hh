// Defines an open document and its pages.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <qpdf/QPDF.hh>
#include <string>
#include <unordered_map>
#include <vector>

#include "CQPDF.h"
#include "Layers.hh"

/// A page with its inherited attributes.
struct Page {
    QPDFObjectHandle object;
    /// An index into `cqpdf_document::inherited`, or -1 if the page has its own resources or none.
    int32_t inheritedResources = -1;
    /// An index into `cqpdf_document::inherited` of what a page with its own resources would inherit; -1 for none.
    int32_t hiddenResources = -1;
    cqpdf_geometry geometry;
    /// A page of another document of the plan that draws the annotations without an appearance.
    struct Overlay {
        uint32_t document;
        size_t page;
    };
    std::optional<Overlay> overlay;
};

/// A file mapped into memory; empty if the file cannot be mapped.
class MappedFile {
  public:
    explicit MappedFile(char const *path);
    ~MappedFile();
    MappedFile(MappedFile const &) = delete;
    MappedFile &operator=(MappedFile const &) = delete;

    char *data = nullptr;
    size_t size = 0;

    /// Renames all keys `/Encrypt` in memory to `hiddenKey`, so that libqpdf reads the file as an unencrypted file.
    void hideEncryption();
    static constexpr char const *hiddenKey = "/EncrypX";
};

struct cqpdf_document {
    explicit cqpdf_document(char const *path) : path(path), file(path) {}

    std::string path;
    /// The password that opened the document; empty if no password was needed.
    std::optional<std::string> password;
    /// Whether the document is read as an unencrypted file, because no page is encrypted.
    bool ignoresEncryption = false;

    // Declared before `pdf`, so that it is destroyed after `pdf`.
    MappedFile file;
    /// The content of the file with an added trailer, for a file without a trailer.
    std::string completed;
    QPDF pdf;
    std::string title;
    bool titleRead = false;
    /// The number of pages missing from the page tree, which are replaced by pages with a notice.
    size_t missingPages = 0;
    std::vector<QPDFExc> complaints;
    std::string firstComplaint;
    std::string undrawable;

    std::vector<Page> pages;
    /// The resource dictionaries of page tree nodes, each shared by all pages below the node.
    std::vector<QPDFObjectHandle> inherited;
    bool pagesRead = false;
    std::optional<Layers> layersRead;

    /// Opens a copy of the file with an added trailer that refers to the catalog; throws `QPDFExc`.
    void openWithoutTrailer(QPDFExc const &error);
    /// Opens the file; throws `QPDFExc`.
    ///
    /// - Parameter ignoringEncryption: Whether to read the file as an unencrypted file.
    void open(char const *password, bool ignoringEncryption = false);
    /// Returns whether the hidden encryption affects only attachments, not streams or strings (ISO 32000-1 §7.6.5).
    bool encryptsNoPage();
    /// Reads the whole page tree once. Handles loops and deep trees.
    void readPages();
    /// Returns the layers, with their state when the document is printed.
    Layers const &layers();
    /// Reads the page tree up to its first page.
    bool firstPage(Page &page);
    /// Returns the index of a page object in `pages`, or -1.
    int64_t indexOf(QPDFObjGen object);

  private:
    std::unordered_map<uint64_t, size_t> indices;
    bool walk(size_t limit, std::vector<Page> &found, std::vector<QPDFObjectHandle> &resources);
};
