// The macros with which LibreOffice loads a document without a window and writes it as a PDF.

import COfficeKit
import FoundationEssentials
import PrintModel

/// The kind of a document that LibreOffice has loaded.
enum LoadedKind: String {
    case text, spreadsheet, presentation, drawing
}

/// LibreOffice Basic macros of the user profile.
///
/// LibreOfficeKit loads each document with a window. A window requires files of the user interface that an installation
/// may lack, and asks questions that nobody answers. The macros load a document without a window, as
/// `soffice --convert-to` does, and have access to all properties of the document.
///
/// The settings disable the macros of documents, but not these macros.
struct OfficeMacros {
    let office: OpaquePointer
    /// The path of the file in which a macro writes its result.
    let resultPath: String

    /// Loads a document without a window; returns nil if LibreOffice cannot read the document without questions.
    func load(_ url: String, password: String?) throws(WorkError) -> LoadedKind? {
        LoadedKind(rawValue: try run("Load", [url, password ?? ""]))
    }

    /// Takes the document that LibreOfficeKit has loaded.
    func adopt() throws(WorkError) -> LoadedKind? { LoadedKind(rawValue: try run("Adopt", [])) }

    /// The result of writing a PDF.
    enum Saving {
        /// The PDF was written.
        ///
        /// If sheets were chosen, the number is the number of visible sheets.
        case saved(Int?)
        /// The chosen sheets do not exist or are empty; the number is the number of visible sheets.
        case noSheet(Int)
        /// LibreOffice cannot lay out the document, for the reason in the message.
        case failed(String)
    }

    /// Writes the document as a PDF.
    ///
    /// - Parameters:
    ///   - url: The URL of the PDF.
    ///   - pages: The content that is printed; nil for the usual pages.
    ///   - sheets: The visible sheets that are printed, such as `1,3-4`; nil for all sheets.
    func save(_ url: String, pages: OfficePages?, sheets: String?) throws(WorkError) -> Saving {
        let result = try run("Save", [url, pages?.rawValue ?? "", sheets ?? ""])
        let words = result.split(separator: " ")
        let count = words.count == 2 ? Int(words[1]) : nil
        switch (words.first, count) {
        case ("saved", let count): return .saved(sheets == nil ? nil : count)
        case ("none", let count?): return .noSheet(count)
        default: return .failed(result)
        }
    }

    private func run(_ name: String, _ arguments: [String]) throws(WorkError) -> String {
        try? FileManager.default.removeItem(atPath: resultPath)
        let list = ([resultPath] + arguments).map { "\"\(Self.code($0))\"" }.joined(separator: ",")
        guard office_run_macro(office, "macro:///Standard.Conversion.\(name)(\(list))") != 0,
            let result = try? Data(contentsOf: URL(filePath: resultPath))
        else {
            throw WorkError(
                .workerUnavailable, "LibreOffice cannot run its macro '\(name)'; reinstall libreoffice-core-nogui",
                detail: String(cString: office_last_error(office)))
        }
        return String(decoding: result.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    /// Encodes a text as five decimal digits for each UTF-16 code unit.
    ///
    /// LibreOffice decodes the URL of a macro, and then reads the arguments as expressions of Basic.
    private static func code(_ text: String) -> String {
        text.utf16.map { unit in
            let digits = String(unit)
            return String(repeating: "0", count: 5 - digits.count) + digits
        }.joined()
    }

    /// The files in the folder `basic` of the user profile.
    static let files: [(path: String, content: String)] = [
        (
            "script.xlc",
            file(
                "library:libraries", "libraries.dtd",
                """
                <library:libraries xmlns:library="http://openoffice.org/2000/library">
                <library:library library:name="Standard" library:link="false"/>
                </library:libraries>
                """)
        ),
        (
            "Standard/script.xlb",
            file(
                "library:library", "library.dtd",
                """
                <library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" \
                library:readonly="false" library:passwordprotected="false">
                <library:element library:name="Conversion"/>
                </library:library>
                """)
        ),
        (
            "Standard/Conversion.xba",
            file(
                "script:module", "module.dtd",
                """
                <script:module xmlns:script="http://openoffice.org/2000/script" script:name="Conversion" \
                script:language="StarBasic"><![CDATA[
                \(source)
                ]]></script:module>
                """)
        ),
    ]

    private static func file(_ element: String, _ definition: String, _ content: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE \(element) PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "\(definition)">
        \(content)

        """
    }

    /// The program in Basic.
    ///
    /// An error without a handler would open a window.
    private static let source = """
        Global document As Object

        Function Text(code As String) As String
          Dim index As Long
          Dim result As String
          For index = 1 To Len(code) Step 5
            result = result & Chr(CLng(Mid(code, index, 5)))
          Next
          Text = result
        End Function

        Function Value(name As String, content)
          Dim property As New com.sun.star.beans.PropertyValue
          property.Name = name
          property.Value = content
          Value = property
        End Function

        Sub Report(path As String, result As String)
          Dim file As Integer
          file = FreeFile
          Open Text(path) For Output As #file
          Print #file, result
          Close #file
        End Sub

        Function Kind() As String
          Kind = "other"
          If IsNull(document) Then Exit Function
          If document.supportsService("com.sun.star.text.GenericTextDocument") Then Kind = "text"
          If document.supportsService("com.sun.star.sheet.SpreadsheetDocument") Then Kind = "spreadsheet"
          If document.supportsService("com.sun.star.drawing.DrawingDocument") Then Kind = "drawing"
          If document.supportsService("com.sun.star.presentation.PresentationDocument") Then Kind = "presentation"
        End Function

        Sub Load(result As String, url As String, password As String)
          Dim properties
          On Error Goto Failed
          properties = Array(Value("Hidden", True), Value("ReadOnly", True), _
            Value("MacroExecutionMode", com.sun.star.document.MacroExecMode.NEVER_EXECUTE), _
            Value("UpdateDocMode", com.sun.star.document.UpdateDocMode.NO_UPDATE))
          If password <> "" Then
            ReDim Preserve properties(4)
            properties(4) = Value("Password", Text(password))
          End If
          document = StarDesktop.loadComponentFromURL(Text(url), "_blank", 0, properties)
          Report(result, Kind())
          Exit Sub
        Failed:
          Report(result, "error: " & Error)
        End Sub

        Sub Adopt(result As String)
          Dim components
          On Error Goto Failed
          components = StarDesktop.Components.createEnumeration()
          document = components.nextElement()
          Report(result, Kind())
          Exit Sub
        Failed:
          Report(result, "error: " & Error)
        End Sub

        ' Lists the comments of a text on pages at its end, and writes their numbers into the text.
        Sub AppendComments()
          Dim fields, field, place, cursor, number As Long, stamp, lines() As String
          On Error Resume Next
          document.RecordChanges = False
          fields = document.TextFields.createEnumeration()
          Do While fields.hasMoreElements()
            field = fields.nextElement()
            If field.supportsService("com.sun.star.text.textfield.Annotation") Then
              number = number + 1
              ReDim Preserve lines(number)
              stamp = field.Date
              lines(number) = "[" & CStr(number) & "] " & field.Author
              If stamp.Year > 0 Then
                lines(number) = lines(number) & ", " & CStr(stamp.Year) & "-" & Format(stamp.Month, "00") & "-" & _
                  Format(stamp.Day, "00")
              End If
              lines(number) = lines(number) & ": " & field.Content
              place = field.Anchor.End
              place.Text.insertString(place, "[" & CStr(number) & "]", False)
            End If
          Loop
          If number = 0 Then Exit Sub
          cursor = document.Text.createTextCursor()
          cursor.gotoEnd(False)
          For number = 1 To UBound(lines)
            document.Text.insertControlCharacter(cursor, com.sun.star.text.ControlCharacter.PARAGRAPH_BREAK, False)
            If number = 1 Then
              cursor.ParaStyleName = "Standard"
              cursor.BreakType = com.sun.star.style.BreakType.PAGE_BEFORE
            Else
              cursor.BreakType = com.sun.star.style.BreakType.NONE
            End If
            document.Text.insertString(cursor, lines(number), False)
          Next
        End Sub

        Function IsChosen(sheets As String, number As Long) As Boolean
          Dim part, dash As Long
          For Each part In Split(sheets, ",")
            dash = InStr(part, "-")
            If dash = 0 Then
              If CLng(part) = number Then IsChosen = True
            ElseIf CLng(Left(part, dash - 1)) <= number Then
              If dash = Len(part) Then
                IsChosen = True
              ElseIf CLng(Mid(part, dash + 1)) >= number Then
                IsChosen = True
              End If
            End If
          Next
        End Function

        ' The pages of the chosen sheets. LibreOffice prints the sheets in order, but not the sheets that have no print
        ' range and are not printed as a whole.
        Function ChosenPages(sheets As String, visible As Long) As String
          Dim sheet, isWhole As Boolean, all As Long, page As Long, pages As Long, result As String
          For Each sheet In document.Sheets
            If sheet.IsVisible Then all = all + document.getRendererCount(sheet, Array())
          Next
          isWhole = document.getRendererCount(document, Array()) = all
          For Each sheet In document.Sheets
            If sheet.IsVisible Then
              visible = visible + 1
              pages = 0
              If isWhole Or UBound(sheet.getPrintAreas()) >= 0 Then
                pages = document.getRendererCount(sheet, Array())
              End If
              If pages > 0 And IsChosen(sheets, visible) Then
                result = result & "," & CStr(page + 1) & "-" & CStr(page + pages)
              End If
              page = page + pages
            End If
          Next
          ChosenPages = Mid(result, 2)
        End Function

        Sub Save(result As String, url As String, pages As String, sheets As String)
          Dim sheet, styles, data, filter As String, word As String, chosen As String, visible As Long, index As Long
          On Error Goto Failed
          word = Text(pages)
          data = Array(Value("ExportNotes", False), Value("ExportNotesPages", word = "notes"), _
            Value("ExportOnlyNotesPages", word = "notes"), Value("ExportHiddenSlides", word = "hidden-slides"))
          Select Case Kind()
            Case "text"
              filter = "writer_pdf_Export"
              If word = "comments" Then AppendComments()
              If document.supportsService("com.sun.star.text.GlobalDocument") Then
                filter = "writer_globaldocument_pdf_Export"
              End If
            Case "spreadsheet"
              filter = "calc_pdf_Export"
              ' LibreOffice prints a hidden sheet that has a print range.
              For Each sheet In document.Sheets
                If Not sheet.IsVisible Then sheet.setPrintAreas(Array())
              Next
              If word = "comments" Then
                styles = document.StyleFamilies.getByName("PageStyles")
                For index = 0 To styles.Count - 1
                  styles.getByIndex(index).PrintAnnotations = True
                Next
              End If
              If Text(sheets) <> "" Then
                chosen = ChosenPages(Text(sheets), visible)
                If chosen = "" Then
                  Report(result, "none " & CStr(visible))
                  Exit Sub
                End If
                data = Array(Value("ExportNotes", False), Value("PageRange", chosen))
              End If
              If word = "active-sheet" Then
                data = Array(Value("ExportNotes", False), Value("Selection", document.CurrentController.ActiveSheet))
              End If
            Case "presentation"
              filter = "impress_pdf_Export"
            Case Else
              filter = "draw_pdf_Export"
          End Select
          document.storeToURL(Text(url), Array(Value("FilterName", filter), Value("FilterData", data)))
          Report(result, "saved " & CStr(visible))
          Exit Sub
        Failed:
          Report(result, "error: " & Error)
        End Sub
        """
}
