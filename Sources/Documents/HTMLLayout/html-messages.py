"""Exchanges messages with the program that started the HTML engine.

The process receives requests through descriptor 0: a line of JSON, followed by as many bytes as its `size` says. It
answers through descriptor 1 with a line of JSON, followed by as many bytes as its `bytes` says.
"""

import io
import json
import logging
import os
import re

requests = os.fdopen(os.dup(0), 'rb')
answers = os.fdopen(os.dup(1), 'wb')
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)  # only responses are written to the response pipe
os.closerange(max(requests.fileno(), answers.fileno()) + 1, 4096)

MOST_NOTES = 100


class Refused(ValueError):
    """A resource that must not be loaded."""


class Exceeded(BaseException):
    """A limit was exceeded. Not an Exception, so that `except Exception` does not catch it."""


class Unusable(Exception):
    """A document or an address that cannot be used, with a code for the calling program."""

    def __init__(self, code, text=''):
        super().__init__(text)
        self.code = code


class Notes(logging.Handler):
    """Messages about omitted resources, without duplicates. Includes WeasyPrint's error messages about resources."""

    def __init__(self, without_files):
        super().__init__(logging.ERROR)
        self.without_files = without_files  # the reason why no file is read
        self.list = []
        self.refused = set()
        self.decorations = set()  # addresses of images whose absence changes nothing that a reader needs

    def add_refusal(self, url, text):
        self.refused.add(url)
        if url in self.decorations:
            return
        self.add(f'{url.removeprefix(BOOK)[:300]} was left out: {text}')

    def add(self, text):
        text = re.sub(r'data:[^\s\'"]{40,}', 'data:…', ' '.join(text.split())).rstrip(': ')[:600]
        if text not in self.list and len(self.list) < MOST_NOTES:
            self.list.append(text)

    def emit(self, record):
        try:
            text = record.getMessage()
        except Exception:
            return
        relative = re.fullmatch(r'Relative URI reference without a base URI: (.*)', text, re.DOTALL)
        if relative:
            self.add_refusal(relative[1], self.without_files)
        elif text.startswith('No anchor #'):
            pass  # nothing is missing on paper
        elif not any(url in text for url in self.refused | self.decorations):
            self.add(text)


class BoundedFile(io.BytesIO):
    """An in-memory file with a size limit."""

    def __init__(self, most):
        super().__init__()
        self.most = most

    def write(self, data):
        if self.tell() + len(data) > self.most:
            raise Exceeded('bytes')
        return super().write(data)


def explained(error):
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f'{error}' or type(error).__name__


def tell(line, data=b''):
    answers.write(json.dumps({**line, 'bytes': len(data)}).encode() + b'\n')
    answers.write(data)
    answers.flush()
