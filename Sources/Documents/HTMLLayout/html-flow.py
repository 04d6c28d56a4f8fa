"""Prints the text that a layout loses at the end of a page.

WeasyPrint makes pages for the normal flow only. What does not fit on the last page is lost if it is in a float, in a
positioned box, in an inline block, or in a box of fixed height (Kozea/WeasyPrint issues 1629 and 2459). Browsers print it.
"""

import collections

import weasyprint
import weasyprint.document
from weasyprint.formatting_structure import boxes

MOST_FLOWED = 3  # times that boxes with lost text join the normal flow
FLOWED = ('; float: none !important; position: static !important; height: auto !important; max-height: none !important;'
          ' display: {} !important')
# The end of the text waits for the end of the floats.
CLEARED = weasyprint.CSS(string='body::after { content: ""; display: block; clear: both }')
FORM_FIELDS = ('button', 'input', 'select', 'textarea')
layout_document = weasyprint.document.layout_document


class WrittenText:
    """The length of the text of each element before the layout, and the boxes that can lose text or hide it.

    holders: the style that makes a box part of the normal flow; moved: the boxes that are elsewhere without this style.
    """

    def __init__(self, root):
        self.lengths, self.holders, self.moved, self.clipped = collections.Counter(), {}, set(), set()
        for box in root.descendants():
            if isinstance(box, boxes.TextBox):
                self.lengths[box.element] += printed_length(box)
            elif isinstance(box, boxes.ParentBox) and box.element is not None:
                self.note(box)

    def note(self, box):
        style = box.style
        outside, inside = (*style['display'], 'flow')[:2]  # the boxes in tables have one keyword
        has_height = style['height'] != 'auto'
        is_beside = any(getattr(style[side], 'value', 0) < -1900 for side in ('left', 'top'))  # such as -9999px
        is_running = style['position'][0] == 'running()'  # only in the margins of pages
        is_clipped = has_height and style['overflow'] != 'visible' or is_beside or is_running
        is_moved = (style['float'] != 'none' or style['position'] == 'absolute'
                    or outside == 'inline' and inside != 'flow')
        if is_clipped or box.element.tag in FORM_FIELDS:
            self.clipped.add(box.element)
        elif has_height or is_moved:
            self.holders[box.element] = FLOWED.format('block' if inside in ('flow', 'flow-root') else inside)
        if is_moved:
            self.moved.add(box.element)

    def lost(self, html, document):
        """The elements of which the pages lack text, and the elements around them; without what a box hides."""
        drawn = collections.Counter()
        for page in document.pages:
            for box in page._page_box.descendants(placeholders=True):
                # What is beside a page is hidden, and what is below would be on another page.
                if isinstance(box, boxes.TextBox) and box.position_y < page.height:
                    drawn[box.element] += printed_length(box)
        short = [element for element, length in self.lengths.items() if drawn[element] < length]
        if not short:
            return set()
        parents, hidden = {}, set(self.clipped)
        for parent in html.etree_element.iter():  # parents come before their children
            for child in parent:
                parents[child] = parent
            if parent in hidden:
                hidden.update(parent)
        found = set()
        for element in short:
            while element is not None and element not in hidden and element not in found:
                found.add(element)
                element = parents.get(element)
        return found


def printed_length(box):
    return len(''.join(box.text.split()).replace('\u00ad', '')) if box.style['visibility'] == 'visible' else 0


def layout_noting_text(html, root, context):
    html.written_text = WrittenText(root)
    return layout_document(html, root, context)


weasyprint.document.layout_document = layout_noting_text


def whole(html, render):
    """The document with all of its text, if possible. `render` lays out the document with more style rules."""
    html.is_flowed = getattr(html, 'is_flowed', False)
    document = render([])
    lost = html.written_text.lost(html, document)
    for attempt in range(1 + MOST_FLOWED):
        written = html.written_text
        holders = lost & written.holders.keys()
        if not lost or attempt > 0 and not holders:
            break
        if attempt > 0:
            html.is_flowed = html.is_flowed or not holders.isdisjoint(written.moved)
            for element in holders:
                element.set('style', element.get('style', '') + written.holders[element])
        document = render([CLEARED])
        lost = html.written_text.lost(html, document)
    html.lacks_text = bool(lost)
    return document


def note_layout(html, notes):
    if html.is_flowed:
        notes.add('some boxes were printed one below the other, because they continue on another page')
    if html.lacks_text:
        notes.add('text that does not fit on the pages was left out')
