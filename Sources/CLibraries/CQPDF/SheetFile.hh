// Writes the output PDF incrementally.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A write failure with its errno value.
struct WriteFailure {
    int error;
};

/// A PDF file under construction. Objects are written immediately, in any order. Only their offsets are kept, so that
/// memory does not grow with the size of the output.
class SheetFile {
  public:
    /// Opens the file and truncates it; throws `WriteFailure`.
    SheetFile(char const *path, std::string const &version);
    ~SheetFile();
    SheetFile(SheetFile const &) = delete;
    SheetFile &operator=(SheetFile const &) = delete;

    /// Reserves the number of an object that may be written later.
    int reserve();
    /// Writes a reserved object.
    void write(int object, std::string const &text);
    /// Writes a reserved stream; `entries` are the dictionary entries except the length.
    void write(int object, std::string const &entries, void const *data, size_t size);
    /// Writes a new stream of text.
    int add(std::string const &text);
    /// Writes the cross-reference table and the trailer, and closes the file.
    void finish(int catalog, std::string const &trailerEntries);

  private:
    void begin(int object);
    void append(void const *data, size_t size);
    void append(std::string const &text) { append(text.data(), text.size()); }
    void flush();
    void send(char const *data, size_t size);

    int file;
    uint64_t position = 0;
    std::string buffer;
    /// The offset of each object, starting with object 1; 0 for objects that are not written.
    std::vector<uint64_t> offsets;
};

inline std::string reference(int object) { return std::to_string(object) + " 0 R"; }
