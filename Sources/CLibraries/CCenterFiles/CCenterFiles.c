// Embeds the files of the folder Sources/Center/PrintCenter/Web, and the description of the API.
//
// The compiler reads the files, and compiles this file again when one of them changes. A new file needs an array and a
// row in the table. (SwiftPM's `embedInCode` takes a minute for 300 KB.)

#include "CCenterFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "../../Center/PrintCenter/openapi.json"
};

static const unsigned char shell_html[] = {
#embed "../../Center/PrintCenter/Web/shell.html"
};

static const unsigned char action_words_json[] = {
#embed "../../Center/PrintCenter/Web/action-words.json"
};

static const unsigned char actions_js[] = {
#embed "../../Center/PrintCenter/Web/actions.js"
};

static const unsigned char api_js[] = {
#embed "../../Center/PrintCenter/Web/api.js"
};

static const unsigned char center_css[] = {
#embed "../../Center/PrintCenter/Web/center.css"
};

static const unsigned char compare_js[] = {
#embed "../../Center/PrintCenter/Web/compare.js"
};

static const unsigned char desk_js[] = {
#embed "../../Center/PrintCenter/Web/desk.js"
};

static const unsigned char detail_js[] = {
#embed "../../Center/PrintCenter/Web/detail.js"
};

static const unsigned char dom_js[] = {
#embed "../../Center/PrintCenter/Web/dom.js"
};

static const unsigned char drop_js[] = {
#embed "../../Center/PrintCenter/Web/drop.js"
};

static const unsigned char events_worker_js[] = {
#embed "../../Center/PrintCenter/Web/events-worker.js"
};

static const unsigned char events_js[] = {
#embed "../../Center/PrintCenter/Web/events.js"
};

static const unsigned char forms_words_json[] = {
#embed "../../Center/PrintCenter/Web/forms-words.json"
};

static const unsigned char forms_css[] = {
#embed "../../Center/PrintCenter/Web/forms.css"
};

static const unsigned char gestures_js[] = {
#embed "../../Center/PrintCenter/Web/gestures.js"
};

static const unsigned char icons_js[] = {
#embed "../../Center/PrintCenter/Web/icons.js"
};

static const unsigned char images_js[] = {
#embed "../../Center/PrintCenter/Web/images.js"
};

static const unsigned char job_actions_js[] = {
#embed "../../Center/PrintCenter/Web/job-actions.js"
};

static const unsigned char joblist_js[] = {
#embed "../../Center/PrintCenter/Web/joblist.js"
};

static const unsigned char jobrows_js[] = {
#embed "../../Center/PrintCenter/Web/jobrows.js"
};

static const unsigned char jobs_js[] = {
#embed "../../Center/PrintCenter/Web/jobs.js"
};

static const unsigned char jobtext_js[] = {
#embed "../../Center/PrintCenter/Web/jobtext.js"
};

static const unsigned char keys_panel_js[] = {
#embed "../../Center/PrintCenter/Web/keys-panel.js"
};

static const unsigned char keys_js[] = {
#embed "../../Center/PrintCenter/Web/keys.js"
};

static const unsigned char layout_js[] = {
#embed "../../Center/PrintCenter/Web/layout.js"
};

static const unsigned char list_tools_js[] = {
#embed "../../Center/PrintCenter/Web/list-tools.js"
};

static const unsigned char main_js[] = {
#embed "../../Center/PrintCenter/Web/main.js"
};

static const unsigned char messages_js[] = {
#embed "../../Center/PrintCenter/Web/messages.js"
};

static const unsigned char narrow_css[] = {
#embed "../../Center/PrintCenter/Web/narrow.css"
};

static const unsigned char newjob_js[] = {
#embed "../../Center/PrintCenter/Web/newjob.js"
};

static const unsigned char options_js[] = {
#embed "../../Center/PrintCenter/Web/options.js"
};

static const unsigned char page_view_js[] = {
#embed "../../Center/PrintCenter/Web/page-view.js"
};

static const unsigned char pages_css[] = {
#embed "../../Center/PrintCenter/Web/pages.css"
};

static const unsigned char pages_js[] = {
#embed "../../Center/PrintCenter/Web/pages.js"
};

static const unsigned char popover_css[] = {
#embed "../../Center/PrintCenter/Web/popover.css"
};

static const unsigned char popover_js[] = {
#embed "../../Center/PrintCenter/Web/popover.js"
};

static const unsigned char printed_jobs_js[] = {
#embed "../../Center/PrintCenter/Web/printed-jobs.js"
};

static const unsigned char printers_js[] = {
#embed "../../Center/PrintCenter/Web/printers.js"
};

static const unsigned char router_js[] = {
#embed "../../Center/PrintCenter/Web/router.js"
};

static const unsigned char sheets_js[] = {
#embed "../../Center/PrintCenter/Web/sheets.js"
};

static const unsigned char sidebar_js[] = {
#embed "../../Center/PrintCenter/Web/sidebar.js"
};

static const unsigned char sides_js[] = {
#embed "../../Center/PrintCenter/Web/sides.js"
};

static const unsigned char simulator_js[] = {
#embed "../../Center/PrintCenter/Web/simulator.js"
};

static const unsigned char spool_js[] = {
#embed "../../Center/PrintCenter/Web/spool.js"
};

static const unsigned char thumbnails_js[] = {
#embed "../../Center/PrintCenter/Web/thumbnails.js"
};

static const unsigned char viewer_bar_js[] = {
#embed "../../Center/PrintCenter/Web/viewer-bar.js"
};

static const unsigned char viewer_words_json[] = {
#embed "../../Center/PrintCenter/Web/viewer-words.json"
};

static const unsigned char viewer_css[] = {
#embed "../../Center/PrintCenter/Web/viewer.css"
};

static const unsigned char viewer_js[] = {
#embed "../../Center/PrintCenter/Web/viewer.js"
};

static const unsigned char words_js[] = {
#embed "../../Center/PrintCenter/Web/words.js"
};

static const unsigned char words_json[] = {
#embed "../../Center/PrintCenter/Web/words.json"
};

static const unsigned char zoom_js[] = {
#embed "../../Center/PrintCenter/Web/zoom.js"
};

#define ROW(name, bytes) {name, bytes, sizeof(bytes)}

static const struct center_file files[] = {
    ROW("openapi.json", openapi_json),
    ROW("shell.html", shell_html),
    ROW("action-words.json", action_words_json),
    ROW("actions.js", actions_js),
    ROW("api.js", api_js),
    ROW("center.css", center_css),
    ROW("compare.js", compare_js),
    ROW("desk.js", desk_js),
    ROW("detail.js", detail_js),
    ROW("dom.js", dom_js),
    ROW("drop.js", drop_js),
    ROW("events-worker.js", events_worker_js),
    ROW("events.js", events_js),
    ROW("forms-words.json", forms_words_json),
    ROW("forms.css", forms_css),
    ROW("gestures.js", gestures_js),
    ROW("icons.js", icons_js),
    ROW("images.js", images_js),
    ROW("job-actions.js", job_actions_js),
    ROW("joblist.js", joblist_js),
    ROW("jobrows.js", jobrows_js),
    ROW("jobs.js", jobs_js),
    ROW("jobtext.js", jobtext_js),
    ROW("keys-panel.js", keys_panel_js),
    ROW("keys.js", keys_js),
    ROW("layout.js", layout_js),
    ROW("list-tools.js", list_tools_js),
    ROW("main.js", main_js),
    ROW("messages.js", messages_js),
    ROW("narrow.css", narrow_css),
    ROW("newjob.js", newjob_js),
    ROW("options.js", options_js),
    ROW("page-view.js", page_view_js),
    ROW("pages.css", pages_css),
    ROW("pages.js", pages_js),
    ROW("popover.css", popover_css),
    ROW("popover.js", popover_js),
    ROW("printed-jobs.js", printed_jobs_js),
    ROW("printers.js", printers_js),
    ROW("router.js", router_js),
    ROW("sheets.js", sheets_js),
    ROW("sidebar.js", sidebar_js),
    ROW("sides.js", sides_js),
    ROW("simulator.js", simulator_js),
    ROW("spool.js", spool_js),
    ROW("thumbnails.js", thumbnails_js),
    ROW("viewer-bar.js", viewer_bar_js),
    ROW("viewer-words.json", viewer_words_json),
    ROW("viewer.css", viewer_css),
    ROW("viewer.js", viewer_js),
    ROW("words.js", words_js),
    ROW("words.json", words_json),
    ROW("zoom.js", zoom_js),
};

size_t center_file_count(void) { return sizeof(files) / sizeof(files[0]); }

struct center_file center_file(size_t index) { return files[index]; }
