// Embeds the files of the folder Sources/Center/PrintCenter/Web, and the description of the API.
//
// The compiler reads the files, and compiles this file again when one of them changes. A new file needs an array and a
// row in the table. (SwiftPM's `embedInCode` takes a minute for 300 KB.)

#include "CCenterFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "../../Center/PrintCenter/openapi.json"
};

static const unsigned char api_js[] = {
#embed "../../Center/PrintCenter/Web/base/api.js"
};

static const unsigned char dom_js[] = {
#embed "../../Center/PrintCenter/Web/base/dom.js"
};

static const unsigned char events_worker_js[] = {
#embed "../../Center/PrintCenter/Web/base/events-worker.js"
};

static const unsigned char events_js[] = {
#embed "../../Center/PrintCenter/Web/base/events.js"
};

static const unsigned char icons_js[] = {
#embed "../../Center/PrintCenter/Web/base/icons.js"
};

static const unsigned char messages_js[] = {
#embed "../../Center/PrintCenter/Web/base/messages.js"
};

static const unsigned char spool_js[] = {
#embed "../../Center/PrintCenter/Web/base/spool.js"
};

static const unsigned char words_js[] = {
#embed "../../Center/PrintCenter/Web/base/words.js"
};

static const unsigned char words_json[] = {
#embed "../../Center/PrintCenter/Web/base/words.json"
};

static const unsigned char forms_words_json[] = {
#embed "../../Center/PrintCenter/Web/forms/forms-words.json"
};

static const unsigned char forms_css[] = {
#embed "../../Center/PrintCenter/Web/forms/forms.css"
};

static const unsigned char options_js[] = {
#embed "../../Center/PrintCenter/Web/forms/options.js"
};

static const unsigned char action_words_json[] = {
#embed "../../Center/PrintCenter/Web/frame/action-words.json"
};

static const unsigned char center_css[] = {
#embed "../../Center/PrintCenter/Web/frame/center.css"
};

static const unsigned char drop_js[] = {
#embed "../../Center/PrintCenter/Web/frame/drop.js"
};

static const unsigned char keys_panel_js[] = {
#embed "../../Center/PrintCenter/Web/frame/keys-panel.js"
};

static const unsigned char keys_js[] = {
#embed "../../Center/PrintCenter/Web/frame/keys.js"
};

static const unsigned char layout_js[] = {
#embed "../../Center/PrintCenter/Web/frame/layout.js"
};

static const unsigned char main_js[] = {
#embed "../../Center/PrintCenter/Web/frame/main.js"
};

static const unsigned char narrow_css[] = {
#embed "../../Center/PrintCenter/Web/frame/narrow.css"
};

static const unsigned char popover_css[] = {
#embed "../../Center/PrintCenter/Web/frame/popover.css"
};

static const unsigned char popover_js[] = {
#embed "../../Center/PrintCenter/Web/frame/popover.js"
};

static const unsigned char router_js[] = {
#embed "../../Center/PrintCenter/Web/frame/router.js"
};

static const unsigned char shell_html[] = {
#embed "../../Center/PrintCenter/Web/frame/shell.html"
};

static const unsigned char sidebar_js[] = {
#embed "../../Center/PrintCenter/Web/frame/sidebar.js"
};

static const unsigned char actions_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/actions.js"
};

static const unsigned char detail_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/detail.js"
};

static const unsigned char job_actions_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/job-actions.js"
};

static const unsigned char job_options_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/job-options.js"
};

static const unsigned char joblist_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/joblist.js"
};

static const unsigned char jobrows_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/jobrows.js"
};

static const unsigned char jobs_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/jobs.js"
};

static const unsigned char jobtext_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/jobtext.js"
};

static const unsigned char list_tools_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/list-tools.js"
};

static const unsigned char newjob_js[] = {
#embed "../../Center/PrintCenter/Web/jobs/newjob.js"
};

static const unsigned char images_js[] = {
#embed "../../Center/PrintCenter/Web/pages/images.js"
};

static const unsigned char pages_css[] = {
#embed "../../Center/PrintCenter/Web/pages/pages.css"
};

static const unsigned char pages_js[] = {
#embed "../../Center/PrintCenter/Web/pages/pages.js"
};

static const unsigned char sides_js[] = {
#embed "../../Center/PrintCenter/Web/pages/sides.js"
};

static const unsigned char thumbnails_js[] = {
#embed "../../Center/PrintCenter/Web/pages/thumbnails.js"
};

static const unsigned char add_js[] = {
#embed "../../Center/PrintCenter/Web/printers/add.js"
};

static const unsigned char log_js[] = {
#embed "../../Center/PrintCenter/Web/printers/log.js"
};

static const unsigned char parts_js[] = {
#embed "../../Center/PrintCenter/Web/printers/parts.js"
};

static const unsigned char printed_jobs_js[] = {
#embed "../../Center/PrintCenter/Web/printers/printed-jobs.js"
};

static const unsigned char printer_menu_js[] = {
#embed "../../Center/PrintCenter/Web/printers/printer-menu.js"
};

static const unsigned char printer_js[] = {
#embed "../../Center/PrintCenter/Web/printers/printer.js"
};

static const unsigned char printers_js[] = {
#embed "../../Center/PrintCenter/Web/printers/printers.js"
};

static const unsigned char simulator_js[] = {
#embed "../../Center/PrintCenter/Web/printers/simulator.js"
};

static const unsigned char compare_js[] = {
#embed "../../Center/PrintCenter/Web/viewer/compare.js"
};

static const unsigned char desk_js[] = {
#embed "../../Center/PrintCenter/Web/viewer/desk.js"
};

static const unsigned char gestures_js[] = {
#embed "../../Center/PrintCenter/Web/viewer/gestures.js"
};

static const unsigned char page_view_js[] = {
#embed "../../Center/PrintCenter/Web/viewer/page-view.js"
};

static const unsigned char viewer_bar_js[] = {
#embed "../../Center/PrintCenter/Web/viewer/viewer-bar.js"
};

static const unsigned char viewer_words_json[] = {
#embed "../../Center/PrintCenter/Web/viewer/viewer-words.json"
};

static const unsigned char viewer_css[] = {
#embed "../../Center/PrintCenter/Web/viewer/viewer.css"
};

static const unsigned char viewer_js[] = {
#embed "../../Center/PrintCenter/Web/viewer/viewer.js"
};

static const unsigned char zoom_js[] = {
#embed "../../Center/PrintCenter/Web/viewer/zoom.js"
};

#define ROW(name, bytes) {name, bytes, sizeof(bytes)}

static const struct center_file files[] = {
    ROW("openapi.json", openapi_json),
    ROW("base/api.js", api_js),
    ROW("base/dom.js", dom_js),
    ROW("base/events-worker.js", events_worker_js),
    ROW("base/events.js", events_js),
    ROW("base/icons.js", icons_js),
    ROW("base/messages.js", messages_js),
    ROW("base/spool.js", spool_js),
    ROW("base/words.js", words_js),
    ROW("base/words.json", words_json),
    ROW("forms/forms-words.json", forms_words_json),
    ROW("forms/forms.css", forms_css),
    ROW("forms/options.js", options_js),
    ROW("frame/action-words.json", action_words_json),
    ROW("frame/center.css", center_css),
    ROW("frame/drop.js", drop_js),
    ROW("frame/keys-panel.js", keys_panel_js),
    ROW("frame/keys.js", keys_js),
    ROW("frame/layout.js", layout_js),
    ROW("frame/main.js", main_js),
    ROW("frame/narrow.css", narrow_css),
    ROW("frame/popover.css", popover_css),
    ROW("frame/popover.js", popover_js),
    ROW("frame/router.js", router_js),
    ROW("frame/shell.html", shell_html),
    ROW("frame/sidebar.js", sidebar_js),
    ROW("jobs/actions.js", actions_js),
    ROW("jobs/detail.js", detail_js),
    ROW("jobs/job-actions.js", job_actions_js),
    ROW("jobs/job-options.js", job_options_js),
    ROW("jobs/joblist.js", joblist_js),
    ROW("jobs/jobrows.js", jobrows_js),
    ROW("jobs/jobs.js", jobs_js),
    ROW("jobs/jobtext.js", jobtext_js),
    ROW("jobs/list-tools.js", list_tools_js),
    ROW("jobs/newjob.js", newjob_js),
    ROW("pages/images.js", images_js),
    ROW("pages/pages.css", pages_css),
    ROW("pages/pages.js", pages_js),
    ROW("pages/sides.js", sides_js),
    ROW("pages/thumbnails.js", thumbnails_js),
    ROW("printers/add.js", add_js),
    ROW("printers/log.js", log_js),
    ROW("printers/parts.js", parts_js),
    ROW("printers/printed-jobs.js", printed_jobs_js),
    ROW("printers/printer-menu.js", printer_menu_js),
    ROW("printers/printer.js", printer_js),
    ROW("printers/printers.js", printers_js),
    ROW("printers/simulator.js", simulator_js),
    ROW("viewer/compare.js", compare_js),
    ROW("viewer/desk.js", desk_js),
    ROW("viewer/gestures.js", gestures_js),
    ROW("viewer/page-view.js", page_view_js),
    ROW("viewer/viewer-bar.js", viewer_bar_js),
    ROW("viewer/viewer-words.json", viewer_words_json),
    ROW("viewer/viewer.css", viewer_css),
    ROW("viewer/viewer.js", viewer_js),
    ROW("viewer/zoom.js", zoom_js),
};

size_t center_file_count(void) { return sizeof(files) / sizeof(files[0]); }

struct center_file center_file(size_t index) { return files[index]; }
