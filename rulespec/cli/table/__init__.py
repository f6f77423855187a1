"""The table: any game on a full screen, drawn from its own declarations.

What is drawn is made by `interpreter.shown`, which knows no terminal: what lies where, what may be answered, and why.
`board`, `answer_rows`, `stories` and `screen_parts` make rows of `chips` of it. `sheet` shows rows on a screen; `game_screen`, `text_screens`,
`podium` and `start` are the screens, `app` runs them.
"""
