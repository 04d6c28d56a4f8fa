// Opens documents and reads their page trees.

#include "Document.hh"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cmath>
#include <cstring>
#include <set>
#include <string_view>

#include <qpdf/QUtil.hh>

#include "Content.hh"
#include "Copier.hh"
#include "Status.hh"
#include "TrailerRecovery.hh"

namespace {

// Larger coordinates are treated as errors: 35 km is far above the limit of any reader, and has no loss of precision.
constexpr double largestCoordinate = 1e8;
// A smaller box has no visible content.
constexpr double smallestExtent = 0.01;

struct Box {
    double left, bottom, right, top;
    bool usable() const { return right - left >= smallestExtent && top - bottom >= smallestExtent; }
};

bool readBox(QPDFObjectHandle object, Box &box) {
    if (!object.isArray() || object.getArrayNItems() != 4) return false;
    double numbers[4];
    for (int index = 0; index < 4; index++) {
        auto item = object.getArrayItem(index);
        if (!item.isNumber()) return false;
        numbers[index] = item.getNumericValue();
        if (!std::isfinite(numbers[index]) || std::fabs(numbers[index]) > largestCoordinate) return false;
    }
    box = {std::min(numbers[0], numbers[2]), std::min(numbers[1], numbers[3]), std::max(numbers[0], numbers[2]),
        std::max(numbers[1], numbers[3])};
    return box.usable();
}

/// Creates a page with a notice that a page is missing from the document.
QPDFObjectHandle noticePage(QPDF &pdf, size_t number, Box const &box) {
    double size = std::min(12.0, (box.right - box.left) / 30);
    Content content;
    content.add("BT /F ").number(size, 2).add("Tf ").number(box.left + 3 * size, 2).number(box.top - 6 * size, 2);
    content.add("Td (Page ").add(std::to_string(number).c_str());
    content.add(" is missing from the document.) Tj ET\n");
    auto page = QPDFObjectHandle::parse(
        "<< /Type /Page /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>");
    page.replaceKey("/Contents", QPDFObjectHandle::newStream(&pdf, content.text));
    return pdf.makeIndirectObject(page);
}

/// The attributes that pages inherit from a node of the page tree (ISO 32000-1 §7.7.3.4).
struct Inherited {
    Box mediaBox{0, 0, 612, 792};  // the default of PDF readers for a page without a media box
    Box cropBox{0, 0, 0, 0};
    bool hasCropBox = false;
    int turns = 0;
    int32_t resources = -1;

    void take(QPDFObjectHandle &node) {
        Box box;
        if (readBox(node.getKey("/MediaBox"), box)) mediaBox = box;
        if (readBox(node.getKey("/CropBox"), box)) {
            cropBox = box;
            hasCropBox = true;
        }
        auto rotate = node.getKey("/Rotate");
        if (rotate.isNumber()) {
            double degrees = rotate.isInteger() ? double(rotate.getIntValue() % 360) : rotate.getNumericValue();
            bool usable = std::isfinite(degrees) && std::fabs(degrees) < 1e6 && std::fmod(degrees, 90) == 0;
            turns = usable ? ((int(degrees / 90) % 4) + 4) % 4 : 0;
        }
    }
};

cqpdf_geometry geometryOf(QPDFObjectHandle &page, Inherited const &values) {
    Box box = values.mediaBox;
    if (values.hasCropBox) {
        Box both{std::max(box.left, values.cropBox.left), std::max(box.bottom, values.cropBox.bottom),
            std::min(box.right, values.cropBox.right), std::min(box.top, values.cropBox.top)};
        if (both.usable()) box = both;
    }
    double unit = 1;
    auto userUnit = page.getKey("/UserUnit");
    if (userUnit.isNumber()) {
        double value = userUnit.getNumericValue();
        if (std::isfinite(value) && value >= 1e-3 && value <= 1e5) unit = value;
    }
    return {box.left, box.bottom, box.right, box.top, values.turns, unit};
}

}  // namespace

MappedFile::MappedFile(char const *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat information;
    if (fstat(descriptor, &information) == 0 && information.st_size > 0) {
        void *memory = mmap(
            nullptr, size_t(information.st_size), PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
        if (memory != MAP_FAILED) {
            data = static_cast<char *>(memory);
            size = size_t(information.st_size);
        }
    }
    close(descriptor);
}

MappedFile::~MappedFile() {
    if (data) munmap(data, size);
}

void MappedFile::hideEncryption() {
    constexpr std::string_view key = "/Encrypt";
    std::string_view all(data, size);
    for (auto found = all.find(key); found != std::string_view::npos; found = all.find(key, found + key.size())) {
        auto next = found + key.size();
        bool isLonger = next < size && (std::isalnum(static_cast<unsigned char>(data[next])) != 0);
        if (!isLonger) std::memcpy(data + found, hiddenKey, key.size());
    }
}

void cqpdf_document::open(char const *password, bool ignoringEncryption) {
    pdf.setSuppressWarnings(true);
    ignoresEncryption = ignoringEncryption;
    if (ignoringEncryption) file.hideEncryption();
    // Reading from the file would need a seek and a read for each object, which doubles the time for large documents.
    if (file.data) {
        pdf.processMemoryFile("", file.data, file.size, password);
    } else {
        pdf.processFile(path.c_str(), password);
    }
    if (password != nullptr) this->password = password;
    // Read the catalog, so that a file without a catalog fails here.
    pdf.getRoot();
}

void cqpdf_document::openWithoutTrailer(QPDFExc const &error) {
    std::string_view all(file.data, file.size);
    auto trailer = trailerNamingCatalog(all);
    if (trailer.empty()) throw error;
    completed = std::string(all) + trailer;
    pdf.setSuppressWarnings(true);
    pdf.processMemoryFile("", completed.data(), completed.size());
    pdf.getRoot();
}

bool cqpdf_document::encryptsNoPage() {
    auto encryption = pdf.getTrailer().getKey(MappedFile::hiddenKey);
    auto isIdentity = [&](char const *key) {
        auto filter = encryption.getKey(key);
        return filter.isNull() || filter.isNameAndEquals("/Identity");
    };
    if (!encryption.isDictionary() || !encryption.getKey("/V").isInteger()) return false;
    return encryption.getKey("/V").getIntValue() >= 4 && isIdentity("/StmF") && isIdentity("/StrF");
}

bool cqpdf_document::walk(size_t limit, std::vector<Page> &found, std::vector<QPDFObjectHandle> &resources) {
    struct Node {
        std::vector<QPDFObjectHandle> kids;
        size_t next = 0;
        Inherited values;
    };
    auto enter = [&resources](QPDFObjectHandle &object, Inherited values) {
        values.take(object);
        auto own = object.getKey("/Resources");
        if (own.isDictionary()) {
            resources.push_back(own);
            values.resources = int32_t(resources.size() - 1);
        }
        return Node{object.getKey("/Kids").getArrayAsVector(), 0, values};
    };

    missingPages = 0;
    std::set<QPDFObjGen> seen;
    std::vector<Node> stack;
    auto root = pdf.getRoot().getKey("/Pages");
    if (!root.isDictionary()) return false;
    if (root.getKey("/Kids").isArray()) {
        seen.insert(root.getObjGen());
        stack.push_back(enter(root, {}));
    } else if (root.isDictionaryOfType("/Page")) {
        Inherited values;
        values.take(root);
        found.push_back({root, -1, -1, geometryOf(root, values), std::nullopt});
    }
    while (!stack.empty() && found.size() < limit) {
        auto &node = stack.back();
        if (node.next == node.kids.size()) {
            stack.pop_back();
            continue;
        }
        auto kid = node.kids[node.next++];
        if (!kid.isDictionary()) {
            if (!kid.isIndirect()) continue;
            pdf.warn(qpdf_e_pages, "", 0, "a page is missing from the page tree");
            missingPages++;
            // The notice page has the size of the page before it.
            Inherited values = node.values;
            if (!found.empty()) {
                auto &box = found.back().geometry;
                values.mediaBox = {box.left, box.bottom, box.right, box.top};
                values.hasCropBox = false;
            }
            auto notice = noticePage(pdf, found.size() + 1, values.mediaBox);
            found.push_back({notice, -1, -1, geometryOf(notice, values), std::nullopt});
            continue;
        }
        if (kid.getKey("/Kids").isArray()) {
            if (!kid.isIndirect() || !seen.insert(kid.getObjGen()).second) {
                pdf.warn(qpdf_e_pages, "", 0, "the page tree has a loop");
                continue;
            }
            auto below = enter(kid, node.values);
            stack.push_back(std::move(below));
            continue;
        }
        Inherited values = node.values;
        values.take(kid);
        bool hasOwn = kid.getKey("/Resources").isDictionary();
        int32_t inherited = hasOwn ? -1 : values.resources, hidden = hasOwn ? values.resources : -1;
        found.push_back({kid, inherited, hidden, geometryOf(kid, values), std::nullopt});
    }
    return true;
}

void cqpdf_document::readPages() {
    if (pagesRead) return;
    walk(SIZE_MAX, pages, inherited);
    // A document in which all pages are missing has no pages.
    if (missingPages == pages.size()) pages.clear();
    pagesRead = true;
}

Layers const &cqpdf_document::layers() {
    if (!layersRead) layersRead.emplace(pdf);
    return *layersRead;
}

bool cqpdf_document::firstPage(Page &page) {
    std::vector<Page> found;
    std::vector<QPDFObjectHandle> resources;
    if (!pagesRead) walk(1, found, resources);
    auto &from = pagesRead ? pages : found;
    if (from.empty()) return false;
    page = from.front();
    return true;
}

int64_t cqpdf_document::indexOf(QPDFObjGen object) {
    if (indices.empty()) {
        indices.reserve(pages.size());
        for (size_t index = 0; index < pages.size(); index++) {
            indices.emplace(objectKey(pages[index].object.getObjGen()), index);
        }
    }
    auto found = indices.find(objectKey(object));
    return found == indices.end() ? -1 : int64_t(found->second);
}

// MARK: - C interface

cqpdf_document *cqpdf_open(const char *path, const char *password, cqpdf_status *status) {
    std::unique_ptr<cqpdf_document> document;
    auto open = [&](const char *with, bool ignoringEncryption = false) {
        document = std::make_unique<cqpdf_document>(path);
        document->open(with, ignoringEncryption);
    };
    bool done = guarded(status, CQPDF_DAMAGED, [&] {
        try {
            // A document with only an owner password opens without a password, but not with a wrong password.
            open(nullptr);
        } catch (QPDFExc const &error) {
            if (error.getErrorCode() == qpdf_e_damaged_pdf) {
                document = std::make_unique<cqpdf_document>(path);
                document->openWithoutTrailer(error);
                return;
            }
            if (error.getErrorCode() != qpdf_e_password && error.getErrorCode() != qpdf_e_unsupported) throw;
            auto refusal = error;
            // Encryption of attachments only does not affect printing.
            open(nullptr, true);
            if (document->encryptsNoPage()) return;
            if (password == nullptr || *password == 0) {
                throw QPDFExc(qpdf_e_password, "", "", 0, refusal.getMessageDetail());
            }
            // Older documents encode the characters of passwords in other ways than UTF-8; the first is the given one.
            auto encodings = QUtil::possible_repaired_encodings(password);
            for (size_t index = 0;; index++) {
                try {
                    return open(encodings.at(index).c_str());
                } catch (QPDFExc const &error) {
                    if (error.getErrorCode() != qpdf_e_password || index + 1 >= encodings.size()) throw;
                }
            }
        }
    });
    return done ? document.release() : nullptr;
}

void cqpdf_close(cqpdf_document *document) { delete document; }

bool cqpdf_page_count(cqpdf_document *document, size_t *count, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        document->readPages();
        *count = document->pages.size();
    });
}

bool cqpdf_stated_page_count(cqpdf_document *document, size_t *count, cqpdf_status *status) {
    return guarded(status, CQPDF_DAMAGED, [&] {
        auto stated = document->pdf.getRoot().getKey("/Pages").getKey("/Count");
        Page first;
        if (!document->pagesRead && stated.isInteger() && stated.getIntValue() > 0
            && size_t(stated.getIntValue()) <= document->pdf.getXRefTable().size() && document->firstPage(first)
            && document->missingPages == 0) {
            *count = size_t(stated.getIntValue());
            return;
        }
        document->readPages();
        *count = document->pages.size();
    });
}

bool cqpdf_first_geometry(cqpdf_document *document, cqpdf_geometry *geometry, cqpdf_status *status) {
    bool found = false;
    bool done = guarded(status, CQPDF_DAMAGED, [&] {
        Page page;
        found = document->firstPage(page);
        if (found) *geometry = page.geometry;
    });
    return done && found;
}

cqpdf_geometry cqpdf_page_geometry(const cqpdf_document *document, size_t page) {
    return page < document->pages.size() ? document->pages[page].geometry : cqpdf_geometry{0, 0, 612, 792, 0, 1};
}

bool cqpdf_is_encrypted(const cqpdf_document *document) {
    return document->pdf.isEncrypted();
}

const char *cqpdf_title(cqpdf_document *document) {
    cqpdf_status status;
    if (!document->titleRead) {
        document->titleRead = true;
        guarded(&status, CQPDF_DAMAGED, [&] {
            auto info = document->pdf.getTrailer().getKey("/Info");
            if (!info.isDictionary()) return;
            auto title = info.getKey("/Title");
            if (title.isString()) document->title = title.getUTF8Value();
        });
    }
    return document->title.empty() ? nullptr : document->title.c_str();
}

size_t cqpdf_missing_pages(const cqpdf_document *document) { return document->missingPages; }

size_t cqpdf_complaints(cqpdf_document *document, const char **first) {
    cqpdf_status status;
    guarded(&status, CQPDF_INTERNAL, [&] {
        for (auto &warning : document->pdf.getWarnings()) document->complaints.push_back(warning);
        if (!document->complaints.empty()) document->firstComplaint = document->complaints.front().getMessageDetail();
    });
    *first = document->firstComplaint.c_str();
    return document->complaints.size();
}
