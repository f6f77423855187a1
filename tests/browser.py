"""A browser for tests: Debian's Chromium without a window, driven through its debugging pipe.

The protocol is the one that developer tools speak: messages in JSON, each followed by a zero byte, through
the file descriptors 3 and 4. That needs no driver and no package, and nobody else can connect to it.
"""

import contextlib
import json
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path

EXECUTABLE = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
PATIENCE = 60  # seconds for anything; what happens sooner is not waited for
FLAGS = (
    "--headless",
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--mute-audio",
    "--remote-debugging-pipe",
)
KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowRight": 39, "ArrowLeft": 37}


class Browser:
    """A Chromium of our own; use it in a `with`."""

    def __init__(self, profile: Path):
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        flags = [*FLAGS, f"--user-data-dir={profile}", "about:blank"]
        # Chromium expects its pipe at 3 and 4, wherever Python has put it.
        plug = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser} 2>/dev/null'
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", plug, EXECUTABLE, *flags],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._news = threading.Condition()
        self._answers = {}
        self._pages = {}
        self._last = 0
        self._gone = False
        self._writing = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.send("Browser.close")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self.process.wait()
        os.close(self._out)

    def send(self, method, session=None, /, **parameters):
        """Ask for something, and wait for the answer."""
        with self._writing:
            self._last += 1
            number = self._last
            message = {"id": number, "method": method, "params": parameters}
            text = json.dumps(message | ({"sessionId": session} if session else {}))
            os.write(self._out, text.encode() + b"\0")
        answer = self.wait(lambda: self._answers.pop(number, None), method)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait(self, find, what):
        """What `find` finds, as soon as it does."""
        with self._news:
            found = None

            def happened():
                nonlocal found
                found = find()
                return found or self._gone

            self._news.wait_for(happened, PATIENCE)
        if not found:
            raise TimeoutError(
                f"the browser is gone: {what}" if self._gone else f"too slow: {what}"
            )
        return found

    def open_page(self, **size):
        """A new page that remembers nothing of others, and of which everything is recorded."""
        context = self.send("Target.createBrowserContext")["browserContextId"]
        blank = self.send("Target.createTarget", url="about:blank", browserContextId=context)
        target = blank["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self, attached["sessionId"], target, context)
        self._pages[attached["sessionId"]] = page
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.send(f"{domain}.enable")
        page.resize(**size)
        return page

    def _listen(self):
        buffer = b""
        while chunk := os.read(self._in, 1 << 16):
            *messages, buffer = (buffer + chunk).split(b"\0")
            for text in messages:
                message = json.loads(text)
                with self._news:
                    if "id" in message:
                        self._answers[message["id"]] = message
                    elif page := self._pages.get(message.get("sessionId")):
                        page.record(message["method"], message["params"])
                    self._news.notify_all()
        os.close(self._in)
        with self._news:
            self._gone = True
            self._news.notify_all()


class Page:
    """One page, what it has asked for, and what it has complained about."""

    def __init__(self, browser, session, target, context):
        self.browser = browser
        self.session = session
        self.target = target
        self.context = context
        self.requests = []
        self.complaints = []
        self.loaded = 0

    def record(self, method, event):
        """Called for whatever happens on the page."""
        match method:
            case "Network.requestWillBeSent":
                self.requests.append(event["request"]["url"])
            case "Page.loadEventFired":
                self.loaded += 1
            case "Runtime.consoleAPICalled" if event["type"] in ("error", "warning", "assert"):
                self.complaints.append(str([each.get("value") for each in event["args"]]))
            case "Runtime.exceptionThrown":
                told = event["exceptionDetails"]
                thrown = told.get("exception", {}).get("description", "")
                self.complaints.append(f"{told['text']} {thrown}")
            case "Log.entryAdded" if event["entry"]["level"] in ("error", "warning"):
                self.complaints.append(f"{event['entry']['text']} {event['entry'].get('url', '')}")

    def send(self, method, /, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def resize(self, width=1280, height=900):
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def prefer(self, scheme):
        """What the system of the reader says: `light` or `dark`."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.send("Emulation.setEmulatedMedia", features=features)

    def go(self, url):
        before = self.loaded
        self.send("Page.navigate", url=url)
        self.browser.wait(lambda: self.loaded > before, url)

    def run(self, script):
        """The value of an expression on the page."""
        answer = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def wait(self, condition):
        """Until an expression holds; its value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(RuntimeError):  # while another page is being loaded
                if value := self.run(condition):
                    return value
            time.sleep(0.02)
        raise TimeoutError(f"this did not come true: {condition}")

    def click(self, selector, place=0):
        """Click in the middle of a visible element that fits, the first if not told, as a hand would."""
        found = (
            f"[...document.querySelectorAll({json.dumps(selector)})]"
            f".filter(e => e.checkVisibility())[{place}]"
        )
        self.wait(f"!!({found})")
        x, y = self.run(
            f"(e => {{ e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            " const r = e.getClientRects()[0];"
            f" return [r.x + r.width / 2, r.y + r.height / 2] }})({found})"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        parameters = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
        text = {"text": "\r"} if key == "Enter" else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", **parameters, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def strangers(self, *addresses):
        """Whom else it has asked."""
        ours = (*addresses, "data:", "blob:")
        return [url for url in self.requests if not url.startswith(ours)]

    def write(self, text):
        self.send("Input.insertText", text=text)

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
