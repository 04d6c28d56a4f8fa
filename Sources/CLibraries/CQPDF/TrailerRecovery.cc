#include "TrailerRecovery.hh"

#include <cctype>

namespace {

bool isSpace(char character) { return std::isspace(static_cast<unsigned char>(character)) != 0; }
bool isDigit(char character) { return std::isdigit(static_cast<unsigned char>(character)) != 0; }

/// Returns the number that ends before `end`, and moves `end` to its first digit; empty if there is no number.
std::string numberBefore(std::string_view file, size_t &end) {
    while (end > 0 && isSpace(file[end - 1])) end--;
    size_t last = end;
    while (end > 0 && isDigit(file[end - 1]) && last - end < 10) end--;
    return std::string(file.substr(end, last - end));
}

/// Returns whether the name at `position` is the value of a `/Type` key.
bool isType(std::string_view file, size_t position) {
    while (position > 0 && isSpace(file[position - 1])) position--;
    return position >= 5 && file.substr(position - 5, 5) == "/Type";
}

}  // namespace

std::string trailerNamingCatalog(std::string_view file) {
    constexpr std::string_view catalog = "/Catalog";
    for (auto found = file.rfind(catalog); found != std::string_view::npos && found > 0;
         found = file.rfind(catalog, found - 1)) {
        if (!isType(file, found)) continue;
        auto end = file.rfind("obj", found);
        if (end == std::string_view::npos) return "";
        auto generation = numberBefore(file, end);
        auto number = numberBefore(file, end);
        if (number.empty() || generation.empty()) continue;
        return "\ntrailer\n<< /Root " + number + " " + generation + " R >>\nstartxref\n0\n%%EOF\n";
    }
    return "";
}
