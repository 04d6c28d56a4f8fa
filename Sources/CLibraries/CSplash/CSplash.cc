// Draws pages with poppler's Splash backend, and reads their text.

#include "CSplash.h"

#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <poppler-document.h>
#include <poppler-image.h>
#include <poppler-page-renderer.h>
#include <poppler-page.h>
#include <string>

struct csplash_page {
    // Declared after `document`, so that the page is destroyed first.
    std::unique_ptr<poppler::document> document;
    std::unique_ptr<poppler::page> page;
};

namespace {

void say(char *words, const char *reason) {
    std::strncpy(words, reason, CSPLASH_WORDS - 1);
    words[CSPLASH_WORDS - 1] = 0;
}

/// Runs `body`; returns the value for failure if it throws.
template <typename Body> auto guarded(char *words, Body body) -> decltype(body()) {
    say(words, "");
    try {
        return body();
    } catch (std::bad_alloc const &) {
        say(words, "not enough memory");
    } catch (std::exception const &error) {
        say(words, error.what());
    } catch (...) {
        say(words, "an unknown exception");
    }
    return {};
}

csplash_page *open_page(std::unique_ptr<poppler::document> document, int index, char *words) {
    if (!document || document->is_locked()) {
        say(words, "the document cannot be opened");
        return nullptr;
    }
    std::unique_ptr<poppler::page> page(index < document->pages() ? document->create_page(index) : nullptr);
    if (!page) {
        say(words, "the page cannot be read");
        return nullptr;
    }
    return new csplash_page{std::move(document), std::move(page)};
}

void configure(poppler::page_renderer &renderer, bool antialiased) {
    renderer.set_render_hint(poppler::page_renderer::antialiasing, antialiased);
    renderer.set_render_hint(poppler::page_renderer::text_antialiasing, antialiased);
    renderer.set_image_format(poppler::image::format_rgb24);
    // Lines thinner than a pixel are drawn one pixel wide, without blending.
    renderer.set_line_mode(poppler::page_renderer::line_solid);
    renderer.set_paper_color(0xFFFFFFFF);
}

}  // namespace

csplash_page *csplash_open_file(const char *path, const char *password, int index, char *words) {
    return guarded(words, [&]() -> csplash_page * {
        std::string secret = password ? password : "";
        std::unique_ptr<poppler::document> document(poppler::document::load_from_file(path, secret, secret));
        return open_page(std::move(document), index, words);
    });
}

csplash_page *csplash_open_bytes(const void *bytes, size_t count, int index, char *words) {
    return guarded(words, [&]() -> csplash_page * {
        if (count > static_cast<size_t>(std::numeric_limits<int>::max())) {
            say(words, "the document is too large");
            return nullptr;
        }
        std::unique_ptr<poppler::document> document(
            poppler::document::load_from_raw_data(static_cast<const char *>(bytes), static_cast<int>(count)));
        return open_page(std::move(document), index, words);
    });
}

bool csplash_draw(csplash_page *page, const csplash_area *area, uint8_t *pixels, char *words) {
    return guarded(words, [&]() -> bool {
        poppler::page_renderer renderer;
        configure(renderer, area->antialiased);
        poppler::image image = renderer.render_page(
            page->page.get(), area->scale_x * 72, area->scale_y * 72, area->x, area->y, area->width, area->height,
            static_cast<poppler::rotation_enum>(area->turns & 3));
        if (!image.is_valid() || image.format() != poppler::image::format_rgb24 || image.width() != area->width
            || image.height() != area->height) {
            say(words, "the second renderer made no image");
            return false;
        }
        auto row = static_cast<size_t>(area->width) * 3;
        for (int y = 0; y < area->height; y++) {
            std::memcpy(
                pixels + row * static_cast<size_t>(y),
                image.const_data() + static_cast<ptrdiff_t>(image.bytes_per_row()) * y, row);
        }
        return true;
    });
}

bool csplash_read_texts(
    const char *path, const char *password, int first, int count, void *context, csplash_text receive, char *words) {
    return guarded(words, [&]() -> bool {
        std::string secret = password ? password : "";
        std::unique_ptr<poppler::document> document(poppler::document::load_from_file(path, secret, secret));
        if (!document || document->is_locked()) {
            say(words, "the document cannot be opened");
            return false;
        }
        for (int index = first; index < first + count; index++) {
            std::unique_ptr<poppler::page> page(index < document->pages() ? document->create_page(index) : nullptr);
            if (!page) {
                say(words, "the page cannot be read");
                return false;
            }
            auto text = page->text(poppler::rectf(), poppler::page::non_raw_non_physical_layout).to_utf8();
            receive(context, text.data(), text.size());
        }
        return true;
    });
}

void csplash_close(csplash_page *page) { delete page; }
