"""What the page asks of the shelf of conversations, and what it says where that fails."""

from __future__ import annotations

import logging
from dataclasses import replace

from ui.conversation import Conversation
from ui.shelf import DamagedError, Shelf, Title

_NOT_KEPT = "Conversations cannot be kept at the moment; the server's log has the details."
_NOT_CHANGED = "That could not be done; the server's log has the details."
_DAMAGED = (
    "The file of kept conversations was damaged. It was set aside, and a new one begun; the server's "
    "log has the details."
)
_GONE = "This conversation is not there any more. It was deleted, or was too old."
_TITLE_CHARS = 200
_logger = logging.getLogger(__name__)


class Archive:
    """What the page asks of a shelf; where that fails, the page works on without it.

    Args:
        shelf: Keeps conversations.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def titles(self, owner: str) -> list[Title]:
        """See ``Shelf.titles``; none where they cannot be read."""
        try:
            return self._shelf.titles(owner)
        except OSError:
            _logger.exception(_NOT_KEPT)
            return []

    def last(self, owner: str) -> Conversation:
        """The conversation that was used last, or an empty one."""
        try:
            found = self._shelf.titles(owner)[:1]
        except OSError as error:
            return Conversation(owner=owner, trouble=_in_words(error, _NOT_KEPT))
        return self.open(owner, found[0].conversation_id) if found else Conversation(owner=owner)

    def open(self, owner: str, conversation_id: object) -> Conversation:
        """A conversation of ``owner``; an empty one if it is gone, or no id is given."""
        empty = Conversation(owner=owner)
        if not isinstance(conversation_id, str) or not conversation_id:
            return empty
        try:
            return self._shelf.load(owner, conversation_id) or replace(empty, trouble=_GONE)
        except OSError as error:
            return replace(empty, trouble=_in_words(error, _NOT_KEPT))

    def resumed(self, so_far: Conversation, here: object, owner: str) -> Conversation:
        """The conversation of a page whose session the server has forgotten.

        A restart ends every session, and a night asleep may; the page is still on the screen.

        Args:
            so_far: The session's state; returned unless it is that of a new session.
            here: Under which id the page shows a conversation; empty for a new one.
            owner: The token of the browser.
        """
        is_new = not so_far.owner and so_far.latest is None
        return self.open(owner, here) if is_new else so_far

    def keep(self, conversation: Conversation) -> Conversation:
        """See ``Shelf.keep``; what goes wrong is told as the conversation's trouble."""
        try:
            try:
                return replace(self._shelf.keep(conversation), trouble="")
            except DamagedError as error:
                # The new file takes all of the conversation.
                kept = self._shelf.keep(conversation)
                return replace(kept, trouble=_in_words(error, _NOT_KEPT))
        except OSError as error:
            return replace(conversation, trouble=_in_words(error, _NOT_KEPT))

    def rename(self, conversation: Conversation, title: object) -> Conversation:
        """Call a conversation otherwise."""
        text = title[:_TITLE_CHARS] if isinstance(title, str) else ""
        try:
            self._shelf.rename(conversation.owner, conversation.conversation_id, text)
        except OSError as error:
            return replace(conversation, trouble=_in_words(error, _NOT_CHANGED))
        return conversation

    def delete(self, conversation: Conversation) -> Conversation:
        """Forget a conversation; returns an empty one."""
        try:
            self._shelf.delete(conversation.owner, conversation.conversation_id)
        except OSError as error:
            return replace(conversation, trouble=_in_words(error, _NOT_CHANGED))
        return conversation.fresh()


def _in_words(error: OSError, words: str) -> str:
    """What the page says of ``error``, which goes into the log."""
    _logger.error(words, exc_info=error)
    return _DAMAGED if isinstance(error, DamagedError) else words
