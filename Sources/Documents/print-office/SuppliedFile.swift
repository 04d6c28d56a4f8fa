// The files of LibreOffice's user interface that its packages without a user interface lack.

import PrintModel

/// A file that describes a control which LibreOffice creates with a document.
///
/// The description contains only the widgets that LibreOffice requires.
struct SuppliedFile {
    /// The program that opens the file.
    let module: OfficeModule
    /// The path in LibreOffice's folder `share`.
    let path: String
    let content: String

    static let all = [
        SuppliedFile(.calc, "scalc/ui/inputbar.ui", inputBar),
        SuppliedFile(.writer, "swriter/ui/annotation.ui", comment),
    ]

    private init(_ module: OfficeModule, _ name: String, _ objects: String) {
        (self.module, path) = (module, "config/soffice.cfg/modules/\(name)")
        content = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<interface>\n\(objects)\n</interface>\n"
    }

    /// The bar for the formula of a cell, which each spreadsheet has.
    private static let inputBar = """
        <object class="GtkGrid" id="InputBar">
          <child><object class="GtkButton" id="down"/></child>
          <child><object class="GtkButton" id="up"/></child>
          <child>
            <object class="GtkBox" id="background">
              <child>
                <object class="GtkScrolledWindow" id="scrolledwindow">
                  <child>
                    <object class="GtkViewport">
                      <child><object class="GtkDrawingArea" id="sc_input_window"/></child>
                    </object>
                  </child>
                </object>
              </child>
            </object>
          </child>
        </object>
        """

    /// The window of a comment in the margin of a text document, and its menu.
    private static let comment = """
        <object class="GtkMenu" id="menu">
          <child><object class="GtkMenuItem" id="deleteby"/></child>
        </object>
        <object class="GtkBox" id="Annotation">
          <property name="orientation">vertical</property>
          <child>
            <object class="GtkScrolledWindow" id="scrolledwindow">
              <child>
                <object class="GtkViewport">
                  <child><object class="GtkDrawingArea" id="editview"/></child>
                </object>
              </child>
            </object>
          </child>
          <child><object class="GtkLabel" id="author"/></child>
          <child><object class="GtkLabel" id="date"/></child>
          <child><object class="GtkLabel" id="resolved"/></child>
          <child>
            <object class="GtkMenuButton" id="menubutton"><property name="popup">menu</property></object>
          </child>
        </object>
        """
}
