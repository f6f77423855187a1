"""The table: any game on a full screen, drawn from its own declarations.

`interpreter.shown`, which knows no terminal, says what lies where, what may be answered, and why. `board`,
`answer_rows`, `story_rows` and `screen_parts` turn that into rows of `chips`; `sheet` is the widget that shows rows.
`game_screen`, `text_screens`, `result_screen` and `start` are the screens, and `app` runs them.
"""
