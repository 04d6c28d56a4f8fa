// The PDF that comes out, written as it is made.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Writing failed with an errno value.
struct WriteFailure {
    int error;
};

/// A PDF file under construction. Objects go to the disk at once, in any order; only their offsets are kept, so that
/// memory does not grow with the size of the output.
class SheetFile {
  public:
    /// Opens the file, which is overwritten; throws `WriteFailure`.
    SheetFile(char const *path, std::string const &version);
    ~SheetFile();
    SheetFile(SheetFile const &) = delete;
    SheetFile &operator=(SheetFile const &) = delete;

    /// The number of an object that will be written later, perhaps.
    int reserve();
    /// Writes a reserved object.
    void write(int object, std::string const &text);
    /// Writes a reserved stream; `entries` is what its dictionary holds besides the length.
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
    /// The offset of each object from 1; 0 while it is not written.
    std::vector<uint64_t> offsets;
};

inline std::string reference(int object) { return std::to_string(object) + " 0 R"; }
