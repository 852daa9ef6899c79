"""What ends a command before its work is done."""


class Problem(Exception):
    """What is wrong and what helps, with the exit code of the command: 2 for a wrong command line,
    1 for what is outside it, 3 for two values that disagree.
    """

    def __init__(self, text: str, code: int = 1) -> None:
        super().__init__(text)
        self.code = code


class Interrupted(Exception):
    """The user stopped the command; the text says what is kept."""
