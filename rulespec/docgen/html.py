"""Pages -> one page of HTML that needs nothing else: style, script and drawings are inside.

Formal text is coloured by the lexer of this package if Pygments is there, and is plain if it is not.
"""

import html
from collections.abc import Iterator
from importlib import resources
from typing import assert_never

from rulespec.docgen import page_elements
from rulespec.docgen.markdown import SWITCH, attributes
from rulespec.docgen.page_elements import Block, Blocks, Line

ASSETS = resources.files("rulespec.docgen") / "assets"
FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="rulespec">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}
</style>
</head>
<body class="rs-alone">
<a class="rs-skip" href="#content">Skip to the rules</a>
{contents}
<main id="content">
{body}
</main>
<script>
{script}
</script>
</body>
</html>
"""


def asset(name: str) -> str:
    """The text of a file that comes with the pages."""
    return (ASSETS / name).read_text("utf-8")


def write_html(title: str, content: Blocks) -> str:
    """The whole page."""
    return FRAME.format(
        title=html.escape(title),
        style=asset("alone.css") + asset("game.css"),
        script=asset("game.js"),
        contents=_contents(content),
        body="\n".join(_blocks(content)),
    )


def _contents(content: Blocks) -> str:
    """Links to the chapters."""
    chapters = [
        each for each in content if isinstance(each, page_elements.PageHeading) and each.level <= 2
    ]
    links = "".join(
        f'<li><a href="#{each.id}">{html.escape(page_elements.plain_text(each.inside))}</a></li>'
        for each in chapters[1:]
    )
    return f'<nav class="rs-contents" aria-label="Contents"><ol>{links}</ol></nav>'


def _blocks(content: Blocks) -> Iterator[str]:
    for block in content:
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case page_elements.PageHeading(level, inside, id_):
            to_itself = f'<a class="rs-here" href="#{id_}" aria-label="Link to this">¶</a>'
            yield f'<h{level} id="{id_}">{_line(inside)}{to_itself}</h{level}>'
        case page_elements.Paragraph(inside, kind):
            named = f' class="{kind}"' if kind else ""
            yield f"<p{named}>{_line(inside)}</p>"
        case page_elements.Items(items, ordered):
            tag = "ol" if ordered else "ul"
            yield f"<{tag}>"
            for item in items:
                yield f"<li>{_line(item.inside)}"
                yield from _blocks(item.below)
                yield "</li>"
            yield f"</{tag}>"
        case page_elements.PageTable(head, rows):
            heads = "".join(f'<th scope="col">{_line(cell)}</th>' for cell in head)
            yield '<div class="rs-scroll" role="region" aria-label="Table" tabindex="0"><table>'
            if any(head):
                yield f"<thead><tr>{heads}</tr></thead>"
            yield "<tbody>"
            for row in rows:
                cells = "".join(f"<td>{_line(cell)}</td>" for cell in row)
                yield f"<tr>{cells}</tr>"
            yield "</tbody></table></div>"
        case page_elements.Formal(text):  # there is no playground beside it
            yield f'<div class="rs-formal"><pre tabindex="0"><code>{highlight_rules(text)}</code></pre></div>'
        case page_elements.Illustration(svg, kind):
            yield f'<figure class="rs-figure rs-{kind}">{svg}</figure>'
        case page_elements.Callout(kind, inner, id_):
            named = f' id="{id_}"' if id_ else ""
            yield f'<div class="rs-{kind}"{named}>'
            yield from _blocks(inner)
            yield "</div>"
        case page_elements.Collapsible(kind, summary, inner, id_):
            yield f'<details class="rs-{kind}" id="{id_}"><summary>{_line(summary)}</summary>'
            yield from _blocks(inner)
            yield "</details>"
        case page_elements.FormalSwitch():
            yield SWITCH
        case _:
            assert_never(block)


def _line(line: Line) -> str:
    return "".join(_inline(each) for each in line)


def _inline(inline: page_elements.Inline) -> str:
    match inline:
        case page_elements.PlainText(words):
            return html.escape(words)
        case page_elements.CodeText(words):
            return f"<code>{html.escape(words)}</code>"
        case page_elements.Strong(inside):
            return f"<strong>{_line(inside)}</strong>"
        case page_elements.MarkedText():
            return f"<span{attributes(inline)}>{_line(inline.inside)}</span>"
        case page_elements.Link(inside, _, id_, kind):
            named = f' class="{kind}"' if kind else ""
            return f'<a{named} href="#{id_}">{_line(inside)}</a>'
        case page_elements.PlaygroundLink(inside):
            return _line(inside)
        case page_elements.Break():
            return "<br>"
        case _:
            assert_never(inline)


def highlight_rules(text: str) -> str:
    """A piece of the language, escaped and, if that can be had, coloured."""
    try:
        import pygments  # noqa: PLC0415 - the package works without it
        from pygments.formatters import HtmlFormatter  # noqa: PLC0415
        from pygments.lexers import get_lexer_by_name  # noqa: PLC0415
        from pygments.util import ClassNotFound  # noqa: PLC0415
    except ImportError:
        return html.escape(text)
    try:
        lexer = get_lexer_by_name("rules")
    except ClassNotFound:
        return html.escape(text)
    shown: str = pygments.highlight(text, lexer, HtmlFormatter(nowrap=True))
    return shown.rstrip("\n")
