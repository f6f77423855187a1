"""A name -> the files of a new repository: a game, hooks and a workflow that check it on every change, and a site.

The repository works at once. Actions are pinned by their commits, rulespec by its version.
"""

from rulespec.starters import TINY

READ_ME = """\
# {title}

A card game, written in [`{file}`]({file}).

```
rulespec play {file}     # play it in the terminal
rulespec check {file}    # find mistakes
rulespec test {file}     # run its examples, and random games
rulespec docs {file} --html site/index.html    # write its rulebook
```

`pip install rulespec=={version}` installs the command, and `pip install "rulespec[lsp]=={version}"` the language
server for your editor. `pre-commit install` checks and formats the rules before each commit.
On every change a machine checks, tests and publishes: choose "GitHub Actions" as the source of the pages, once, in
the settings of the repository.
"""

IGNORED = """\
site/
*.transcript
"""

HOOKS = """\
repos:
  - repo: local
    hooks:
      - id: rulespec-check
        name: rulespec check
        entry: rulespec check
        language: python
        additional_dependencies: ["rulespec=={version}"]
        files: \\.rules$
      - id: rulespec-fmt
        name: rulespec fmt
        entry: rulespec fmt --write
        language: python
        additional_dependencies: ["rulespec=={version}"]
        files: \\.rules$
"""

WORKFLOW = """\
# Checks and tests the rules on every change, and publishes the rulebook from `main`.
name: rules

on:
  push:
  pull_request:

permissions: {{}}

jobs:
  rules:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0
        with:
          python-version: "3.11"
      - run: pip install rulespec=={version}
      - run: rulespec check {file}
      - run: rulespec fmt --check {file}
      - run: rulespec test {file}
      - run: mkdir -p site
      - run: rulespec docs {file} --html site/index.html
      - uses: actions/upload-pages-artifact@56afc609e74202658d3ffba0e8f6dda462b719fa # v3.0.1
        with:
          path: site

  # Only puts up what was built.
  publish:
    if: github.ref == 'refs/heads/main'
    needs: rules
    runs-on: ubuntu-latest
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
      url: ${{{{ steps.deployment.outputs.page_url }}}}
    steps:
      - id: deployment
        uses: actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e # v4.0.5
"""


def lay_out_project(file: str, title: str, version: str) -> dict[str, str]:
    """The files of a project: their contents by path, with `/` between folders.

    >>> sorted(lay_out_project("mine.rules", "Mine", "1.0"))[0]
    '.github/workflows/rules.yml'
    """
    words = {"file": file, "title": title, "version": version}
    return {
        file: TINY.format(title=title),
        "README.md": READ_ME.format_map(words),
        ".gitignore": IGNORED,
        ".pre-commit-config.yaml": HOOKS.format_map(words),
        ".github/workflows/rules.yml": WORKFLOW.format_map(words),
    }
