// An open document and its pages.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
    /// A page of another document of the plan that shows the annotations which have no appearance.
    struct Overlay {
        uint32_t document;
        size_t page;
    };
    std::optional<Overlay> overlay;
};

/// A file's bytes as memory, or nothing when it cannot be had that way.
class MappedFile {
  public:
    explicit MappedFile(char const *path);
    ~MappedFile();
    MappedFile(MappedFile const &) = delete;
    MappedFile &operator=(MappedFile const &) = delete;

    char *data = nullptr;
    size_t size = 0;

    /// Renames all keys `/Encrypt` in memory to `hiddenKey`, so that libqpdf reads the file as one without encryption.
    void hideEncryption();
    static constexpr char const *hiddenKey = "/EncrypX";
};

struct cqpdf_document {
    explicit cqpdf_document(char const *path) : path(path), file(path) {}

    std::string path;
    /// The password that opened the document; none when it opens without one.
    std::optional<std::string> password;
    /// Whether the document is read as one without encryption, because no page is encrypted.
    bool ignoresEncryption = false;

    // Declared first, so that they outlive all that reads from them.
    MappedFile file;
    /// The file's bytes and a trailer, where the file has none.
    std::string completed;
    QPDF pdf;
    std::string title;
    bool titleRead = false;
    /// How many pages are missing from the page tree; pages with a notice take their places.
    size_t missingPages = 0;
    std::vector<QPDFExc> complaints;
    std::string firstComplaint;
    std::string undrawable;

    std::vector<Page> pages;
    /// Resource dictionaries of page tree nodes, each shared by all pages below.
    std::vector<QPDFObjectHandle> inherited;
    bool pagesRead = false;

    /// Opens a copy of the file with a trailer that names its catalog; throws `QPDFExc`.
    void openWithoutTrailer(QPDFExc const &error);
    /// Opens the file; throws `QPDFExc`.
    ///
    /// - Parameter ignoringEncryption: whether the file is read as one without encryption.
    void open(char const *password, bool ignoringEncryption = false);
    /// Whether hidden encryption protects neither streams nor strings, only attachments (ISO 32000-1 §7.6.5).
    bool encryptsNoPage();
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
