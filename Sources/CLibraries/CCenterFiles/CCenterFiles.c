// Embeds the files of the folder Sources/Center/PrintCenter/Web, and the description of the API.
//
// The compiler reads the files, and compiles this file again when one of them changes. A new file needs a row in the
// table. A null character ends each file, because all files are text. (SwiftPM's `embedInCode` takes a minute for
// 300 KB.)

#include "CCenterFiles.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct {
    const char *name;
    const unsigned char *bytes;
} files[] = {
    {"openapi.json", (const unsigned char[]){
#embed "../../Center/PrintCenter/openapi.json" suffix(, 0)
    }},
    {"base/api.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/base/api.js" suffix(, 0)
    }},
    {"base/dom.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/base/dom.js" suffix(, 0)
    }},
    {"base/events-worker.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/base/events-worker.js" suffix(, 0)
    }},
    {"base/events.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/base/events.js" suffix(, 0)
    }},
    {"base/icons.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/base/icons.js" suffix(, 0)
    }},
    {"base/messages.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/base/messages.js" suffix(, 0)
    }},
    {"base/spool.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/base/spool.js" suffix(, 0)
    }},
    {"base/words.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/base/words.js" suffix(, 0)
    }},
    {"forms/forms.css", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/forms/forms.css" suffix(, 0)
    }},
    {"forms/options.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/forms/options.js" suffix(, 0)
    }},
    {"frame/center.css", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/center.css" suffix(, 0)
    }},
    {"frame/icon.svg", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/icon.svg" suffix(, 0)
    }},
    {"frame/icon-attention.svg", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/icon-attention.svg" suffix(, 0)
    }},
    {"frame/drop.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/drop.js" suffix(, 0)
    }},
    {"frame/keys-panel.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/keys-panel.js" suffix(, 0)
    }},
    {"frame/keys.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/keys.js" suffix(, 0)
    }},
    {"frame/layout.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/layout.js" suffix(, 0)
    }},
    {"frame/main.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/main.js" suffix(, 0)
    }},
    {"frame/notices.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/notices.js" suffix(, 0)
    }},
    {"frame/palette.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/palette.js" suffix(, 0)
    }},
    {"frame/narrow.css", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/narrow.css" suffix(, 0)
    }},
    {"frame/popover.css", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/popover.css" suffix(, 0)
    }},
    {"frame/popover.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/popover.js" suffix(, 0)
    }},
    {"frame/router.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/router.js" suffix(, 0)
    }},
    {"frame/shell.html", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/shell.html" suffix(, 0)
    }},
    {"frame/sidebar.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/frame/sidebar.js" suffix(, 0)
    }},
    {"jobs/actions.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/actions.js" suffix(, 0)
    }},
    {"jobs/condition.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/condition.js" suffix(, 0)
    }},
    {"jobs/detail.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/detail.js" suffix(, 0)
    }},
    {"jobs/job-actions.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/job-actions.js" suffix(, 0)
    }},
    {"jobs/job-options.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/job-options.js" suffix(, 0)
    }},
    {"jobs/joblist.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/joblist.js" suffix(, 0)
    }},
    {"jobs/jobrows.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/jobrows.js" suffix(, 0)
    }},
    {"jobs/jobs.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/jobs.js" suffix(, 0)
    }},
    {"jobs/jobtext.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/jobtext.js" suffix(, 0)
    }},
    {"jobs/list-tools.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/list-tools.js" suffix(, 0)
    }},
    {"jobs/newjob.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/newjob.js" suffix(, 0)
    }},
    {"jobs/peek.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/peek.js" suffix(, 0)
    }},
    {"jobs/presets.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/jobs/presets.js" suffix(, 0)
    }},
    {"pages/images.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/pages/images.js" suffix(, 0)
    }},
    {"pages/pages.css", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/pages/pages.css" suffix(, 0)
    }},
    {"pages/pages.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/pages/pages.js" suffix(, 0)
    }},
    {"pages/sides.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/pages/sides.js" suffix(, 0)
    }},
    {"pages/thumbnails.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/pages/thumbnails.js" suffix(, 0)
    }},
    {"printers/add.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/add.js" suffix(, 0)
    }},
    {"printers/log.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/log.js" suffix(, 0)
    }},
    {"printers/parts.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/parts.js" suffix(, 0)
    }},
    {"printers/printed-jobs.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/printed-jobs.js" suffix(, 0)
    }},
    {"printers/printer-menu.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/printer-menu.js" suffix(, 0)
    }},
    {"printers/printer.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/printer.js" suffix(, 0)
    }},
    {"printers/printers.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/printers.js" suffix(, 0)
    }},
    {"printers/release.css", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/release.css" suffix(, 0)
    }},
    {"printers/release.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/release.js" suffix(, 0)
    }},
    {"printers/simulator.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/simulator.js" suffix(, 0)
    }},
    {"printers/usage.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/printers/usage.js" suffix(, 0)
    }},
    {"viewer/compare.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/compare.js" suffix(, 0)
    }},
    {"viewer/desk.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/desk.js" suffix(, 0)
    }},
    {"viewer/gestures.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/gestures.js" suffix(, 0)
    }},
    {"viewer/page-view.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/page-view.js" suffix(, 0)
    }},
    {"viewer/text-layer.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/text-layer.js" suffix(, 0)
    }},
    {"viewer/viewer-bar.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/viewer-bar.js" suffix(, 0)
    }},
    {"viewer/viewer.css", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/viewer.css" suffix(, 0)
    }},
    {"viewer/viewer.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/viewer.js" suffix(, 0)
    }},
    {"viewer/zoom.js", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/viewer/zoom.js" suffix(, 0)
    }},
    {"words/en.json", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/words/en.json" suffix(, 0)
    }},
    {"words/ja.json", (const unsigned char[]){
#embed "../../Center/PrintCenter/Web/words/ja.json" suffix(, 0)
    }},
};

size_t center_file_count(void) { return sizeof(files) / sizeof(files[0]); }

struct center_file center_file(size_t index) {
    const unsigned char *bytes = files[index].bytes;
    return (struct center_file){files[index].name, bytes, strlen((const char *)bytes)};
}
