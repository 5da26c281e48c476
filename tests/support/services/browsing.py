"""The tests of the pages share matches to look at, and a parser of pages."""

from html.parser import HTMLParser

from ledger.log.stores.files import FileStore
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from services.matches.play import surroundings


def made(store, **plan):
    """A match that waits for its players."""
    return Journal.create(surroundings(store), Plan(ruleset="tictactoe", seats=2, **plan))


def begun(store, **plan):
    """A match of ann and bob that has just begun; a folder stands for its store in files."""
    journal = made(store if hasattr(store, "append") else FileStore(store), **plan)
    journal.join(0, "ann")
    journal.join(1, "bob")
    journal.start()
    return journal


class Page(HTMLParser):
    """A parsed page, for questions of a test."""

    def __init__(self, answer):
        super().__init__()
        self.tags, self.words = [], ""
        self.feed(answer.text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words += data

    def having(self, name, value=None):
        found = [attrs for _, attrs in self.tags if name in attrs]
        return [attrs for attrs in found if value in (None, attrs[name])]
