"""Hands on the playground: what a reader does there with mouse and keyboard, for tests in a browser."""

import json

CONTROL = 2  # the modifier, as the browser counts it

# Every letter that crosses between the page and its worker is kept, as text, both ways.
# The page never names a seed; here each game of a page gets one, so that a test plays the same game each time.
LISTEN = """
(() => {
  const Plain = Worker;
  globalThis.mail = [];
  globalThis.Worker = class extends Plain {
    constructor(...words) {
      super(...words);
      this.addEventListener('message', ({data}) => globalThis.mail.push(['in', data.what, data.text ?? '']));
    }
    postMessage(letter) {
      globalThis.mail.push(['out', 'request', letter.request]);
      if (letter.request?.startsWith('{"kind":"start"')) {
        globalThis.seeds = (globalThis.seeds ?? 0) + 1;
        const seed = String(globalThis.seeds);
        letter = {...letter, request: JSON.stringify({...JSON.parse(letter.request), seed})};
      }
      super.postMessage(letter);
    }
  };
})()
"""

CHECKED = "document.querySelector('.pg-found')?.getAttribute('aria-busy') === 'false'"
IS_STILL = (
    "document.querySelector('#pg-play').getAttribute('aria-busy') !== 'true'"
    " && !document.querySelector('.pg-board').hidden"
    " && (document.querySelector('.pg-items, .pg-result, [data-key=take], [data-key=pass]')?.className || '')"
)
LIT = "#pg-play .pg-card.pg-lit:not(.pg-ticked)"


def open_playground(page, address, fragment=""):
    """Go there, and wait until Python has looked at the rules for the first time."""
    page.go(f"{address}playground/{fragment}")
    page.wait(CHECKED)


def read_mail(page):
    """What has crossed: a list of (direction, what, text)."""
    return page.run("globalThis.mail.splice(0)")


# ---- Forms -------------------------------------------------------------------------------------------


def set_value(page, selector, value):
    """Choose or type something in a field."""
    page.run(
        f"(e => {{ e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')) }})"
        f"(document.querySelector({json.dumps(selector)}))"
    )


def click_text(page, text, within="#pg"):
    """Click on the button that says this."""
    page.run("document.querySelector('[data-aim]')?.removeAttribute('data-aim')")
    page.wait(
        f"[...document.querySelectorAll({json.dumps(within + ' button')})]"
        f".some(e => e.textContent === {json.dumps(text)} && e.checkVisibility()"
        " && (e.dataset.aim = 'here'))"
    )
    page.click("[data-aim=here]")


def show(page, tab):
    page.click(f"#pg-tab-{tab}")


def text_of(page, selector):
    return page.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")


# ---- The editor --------------------------------------------------------------------------------------


def pick_file(page, file):
    """Open a file as it is shipped, and wait until it was checked."""
    page.run(f"localStorage.removeItem('rulespec-draft:{file}')")
    set_value(page, "[data-key=file]", file)
    page.wait(CHECKED)


def press_with_control(page, key, code):
    for kind in ("rawKeyDown", "keyUp"):
        page.send(
            "Input.dispatchKeyEvent",
            type=kind,
            key=key,
            code=f"Key{key.upper()}",
            windowsVirtualKeyCode=code,
            modifiers=CONTROL,
        )


def write_rules(page, text):
    """Another text is pasted into the open file; wait until it was checked."""
    page.run("document.querySelector('.cm-content').focus()")
    press_with_control(page, "a", 65)
    page.run(
        f"""(text => {{
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', text);
          document.querySelector('.cm-content').dispatchEvent(
            new ClipboardEvent('paste', {{clipboardData, bubbles: true, cancelable: true}}));
        }})({json.dumps(text)})"""
    )
    page.wait(CHECKED)


def replace_word(page, word, other):
    """Select a word that is seen in the editor with the mouse, and type another one."""
    x, y = page.run(
        f"""(word => {{
          const walker = document.createTreeWalker(document.querySelector('.cm-content'), NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {{
            if (walker.currentNode.textContent !== word) continue;
            walker.currentNode.parentElement.scrollIntoView({{block: 'center', behavior: 'instant'}});
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            const box = range.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
          }}
        }})({json.dumps(word)})"""
    )
    for count in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            page.send(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count
            )
    page.write(other)
    page.wait(CHECKED)


# ---- The table ---------------------------------------------------------------------------------------


def start_game(page, players, seats):
    """Begin a game with so many players, each a person or a bot; bots move at once."""
    seat_players(page, players, seats)
    page.click("[data-key=start]")
    return page.wait(IS_STILL)


def seat_players(page, players, seats):
    """Say who plays: what was said for the game before would count otherwise."""
    show(page, "play")
    set_value(page, "[data-key=players]", str(players))
    for seat, kind in enumerate(seats):
        set_value(page, f"[data-key='seat {seat}']", kind)
    set_value(page, "[data-key=pace]", "0")


def leave_game(page):
    """Leave nothing of one test to the next: no game, no letters, nothing that was said; games count from one."""
    if page.run("!document.querySelector('.pg-board').hidden"):
        show(page, "play")
        click_text(page, "New game")
    read_mail(page)
    page.run("globalThis.seeds = 0; document.querySelector('.pg-said-here')?.replaceChildren()")


def settle(page):
    """Wait until something can be done; whoever has seen the outcome of a move passes the screen on."""
    state = page.wait(IS_STILL)
    if page.run("!!document.querySelector('[data-key=pass]')"):
        page.click("[data-key=pass]")
        page.wait("!document.querySelector('[data-key=pass]')")
        state = page.wait(IS_STILL)
    return state


def make_move(page, chance):
    """Answer the question by clicks: on cards if any is lit, else on a button. Says what is there then."""
    for _ in range(40):
        ways = page.run(
            f"[document.querySelectorAll({json.dumps(LIT)}).length,"
            " document.querySelectorAll('.pg-items .pg-item:not([aria-disabled]):not(.pg-ticked)').length,"
            " !!document.querySelector('[data-key=finish]:not(:disabled)'),"
            " !!document.querySelector('[data-key=finish]')]"
        )
        cards, items, can_finish, is_ticking = ways
        if can_finish and (not cards or chance.random() < 0.5):
            page.click("[data-key=finish]")
        elif cards:
            page.click(LIT, chance.randrange(cards))
        elif items:
            page.click(
                ".pg-items .pg-item:not([aria-disabled]):not(.pg-ticked)", chance.randrange(items)
            )
        else:
            page.click("#pg-play .pg-ask .pg-row [data-item]")
        state = settle(page)
        narrowed = page.run("!!document.querySelector('[data-key=widen]')")
        if narrowed:
            page.click(".pg-items .pg-item")
            return settle(page)
        if not is_ticking or can_finish:
            return state
    raise AssertionError("the question has no answer")
