"""The table: any game on a full screen, drawn from its own declarations.

What is drawn is made in plain steps that know no terminal: `picture` (what lies where, out of a player's
view), `offers` and `selection` (what may be answered), `board`, `answers` and `stories` (rows of `chips`),
`reasons` (why). `sheet` shows rows on a screen; `desk`, `pages`, `podium` and `start` are the screens, `app` runs
them.
"""
