"""Errors that end a command before its work is done."""


class Problem(Exception):
    """An error with its remedy and the exit code of the command: 2 for a wrong command line,
    1 for failures outside it, 3 for two values that disagree.
    """

    def __init__(self, text: str, code: int = 1) -> None:
        super().__init__(text)
        self.code = code


class Interrupted(Exception):
    """The user stopped the command; the text names the stored results."""
