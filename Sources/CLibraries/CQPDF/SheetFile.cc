#include "SheetFile.hh"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace {
constexpr size_t capacity = 1 << 18;
// The largest offset that fits into the ten digits of a cross-reference table (ISO 32000-1 §7.5.4).
constexpr uint64_t largestOffset = 9'999'999'999;
}  // namespace

SheetFile::SheetFile(char const *path, std::string const &version) {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0660);
    if (file < 0) throw WriteFailure{errno};
    buffer.reserve(capacity);
    append("%PDF-" + version + "\n%\xE2\xE3\xCF\xD3\n");
}

SheetFile::~SheetFile() {
    if (file >= 0) close(file);
}

int SheetFile::reserve() {
    offsets.push_back(0);
    return int(offsets.size());
}

void SheetFile::write(int object, std::string const &text) {
    begin(object);
    append(text);
    append("\nendobj\n", 8);
}

void SheetFile::write(int object, std::string const &entries, void const *data, size_t size) {
    begin(object);
    append("<< " + entries + " /Length " + std::to_string(size) + " >>\nstream\n");
    append(data, size);
    append("\nendstream\nendobj\n", 18);
}

int SheetFile::add(std::string const &text) {
    int object = reserve();
    write(object, "", text.data(), text.size());
    return object;
}

void SheetFile::finish(int catalog, std::string const &trailerEntries) {
    auto start = position;
    append("xref\n0 " + std::to_string(offsets.size() + 1) + "\n0000000000 65535 f \n");
    for (auto offset : offsets) {
        char entry[24];
        std::snprintf(entry, sizeof entry, "%010llu %s \n", static_cast<unsigned long long>(offset),
            offset == 0 ? "65535 f" : "00000 n");
        append(entry, 20);
    }
    append("trailer\n<< /Size " + std::to_string(offsets.size() + 1) + " /Root " + reference(catalog) + trailerEntries
           + " >>\nstartxref\n" + std::to_string(start) + "\n%%EOF\n");
    flush();
    if (close(std::exchange(file, -1)) != 0) throw WriteFailure{errno};
}

void SheetFile::begin(int object) {
    if (position > largestOffset) throw WriteFailure{EFBIG};
    offsets[size_t(object) - 1] = position;
    append(std::to_string(object) + " 0 obj\n");
}

void SheetFile::append(void const *data, size_t size) {
    position += size;
    if (buffer.size() + size > capacity) flush();
    if (size > capacity) {
        send(static_cast<char const *>(data), size);
    } else {
        buffer.append(static_cast<char const *>(data), size);
    }
}

void SheetFile::flush() {
    send(buffer.data(), buffer.size());
    buffer.clear();
}

void SheetFile::send(char const *data, size_t size) {
    while (size > 0) {
        auto written = ::write(file, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw WriteFailure{written < 0 ? errno : EIO};
        data += written;
        size -= size_t(written);
    }
}
