"""A choice that does not parse -> the diagnostic that names the slip, or None if the choice is not what is wrong.

`slips` asks these functions, as those of `table_slips`.
"""

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.syntax.parse_failures import (
    ParseFailure,
    block_of,
    failing,
    failing_text,
    report_failure,
    token_texts,
)
from rulespec.syntax.word_suggestions import CHOOSING


def wrong_choice(failure: ParseFailure) -> Diagnostic | None:
    texts, tokens = token_texts(failure), failure.tokens
    verb = next((n for n, text in enumerate(texts) if text in CHOOSING), None)
    if block_of(failure) != "statements" or verb is None:
        return None
    word, name = texts[verb], texts[verb + 1] or "card"
    at = tokens[verb]
    if verb == 0:
        message = "this choice does not say who chooses"
        return report_failure(
            failure, codes.INCOMPLETE, message, f"write `p chooses {name} from …`", at=at
        )
    if word not in ("choose", "chooses"):
        message = f"`{word}` is for examples; in rules write `chooses`"
        return report_failure(failure, codes.INCOMPLETE, message, "write `chooses`", at=at)
    if texts[1] == "=":
        message = "a choice is a statement of its own, and names what is chosen"
        hint = f"write `{texts[2]} chooses {texts[0]} from …`"
        return report_failure(failure, codes.INCOMPLETE, message, hint)
    if (word == "chooses") == (texts[verb - 1] == "may"):
        right = "may choose" if word == "chooses" else "chooses"
        message = "a choice is written `chooses`, or `may choose` if the player may decline"
        return report_failure(failure, codes.INCOMPLETE, message, f"write `{right}`", at=at)
    if (other := _other_options(failure, verb)) is not None:
        return other
    if name == "from":
        message = f"this choice has no name between `{word}` and `from`"
        return report_failure(
            failure, codes.INCOMPLETE, message, f"write `{word} card from …`", at=at
        )
    if tokens[verb + 1].kind == "INT":
        message = f"a choice of {name} cards is a choice of one set"
        hint = f"write `{word} cards from subsets(hand[p], {name})`"
        return report_failure(failure, codes.INCOMPLETE, message, hint, at=tokens[verb + 1])
    if "FROM" in failure.expected and texts[verb + 3 : verb + 4] == ["from"]:
        message = f"what is chosen has a name of one word, not `{name} {texts[verb + 2]}`"
        return report_failure(
            failure, codes.INCOMPLETE, message, f"write `{word} {texts[verb + 2]} from …`"
        )
    if "FROM" in failure.expected:
        message = f"this choice has no `from` after `{name}`"
        return report_failure(failure, codes.INCOMPLETE, message, f"write `{word} {name} from …`")
    if failing(failure).kind == "OR" and word == "chooses":
        message = "only a choice with `may choose` can be declined"
        return report_failure(failure, codes.UNEXPECTED, message, "write `may choose`")
    if failing(failure).kind == "NAME" and "STRING" in failure.expected:
        return missing_quotes(failure)
    return None


def _other_options(failure: ParseFailure, verb: int) -> Diagnostic | None:
    """What goes wrong behind a comma, where `or` begins the options of another kind."""
    texts, tokens = token_texts(failure), failure.tokens
    commas = [n for n, text in enumerate(texts) if text == "," and texts[n + 2 : n + 3]]
    commas = [n for n in commas if n > verb and (texts[n + 1] == "or" or texts[n + 2] == "from")]
    if not commas or tokens[commas[-1]].start > failing(failure).start:
        return None
    first, last = commas[0], commas[-1]
    own = texts[last + 1] if texts[last + 1] != "or" else texts[last + 2]
    if failing(failure) is tokens[last] and (texts[verb] == "choose" or texts[0] == "each"):
        message = "only a single player who `chooses` has options of two kinds"
        hint = f"write `p chooses {texts[verb + 1]} from …, or {own} from …`; passing is an action, too"
        if texts[0] == "each":
            hint = f"let each choose the action first: `each q in … chooses {own}[q] from …`"
        return report_failure(failure, codes.UNEXPECTED, message, hint)
    if failing(failure) is tokens[last] and first != last:
        message = "a question has options of two kinds at most"
        return report_failure(
            failure, codes.UNEXPECTED, message, "offer all actions as members of one enum"
        )
    if texts[last + 1] != "or":
        message = "options of another kind begin with `or`"
        return report_failure(failure, codes.INCOMPLETE, message, f"write `, or {own} from …`")
    if texts[last + 2] in CHOOSING:
        message = f"`{texts[last + 2]}` stands only once in a question"
        at = tokens[last + 2]
        return report_failure(failure, codes.UNEXPECTED, message, "write `, or act from …`", at=at)
    if texts[last + 3 : last + 4] != ["from"]:
        message = "after `or` come a name for the chosen option, `from` and the options"
        hint = f"write `, or act from [{own}]`"
        return report_failure(failure, codes.INCOMPLETE, message, hint, at=tokens[last + 2])
    return None


def missing_quotes(failure: ParseFailure) -> Diagnostic:
    message = f"a text needs quotes, but `{failing_text(failure)}` has none"
    return report_failure(failure, codes.OPEN_STRING, message, 'write `"` before and after it')
