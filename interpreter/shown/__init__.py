"""What is shown of a game, as plain data: the same for a terminal, for plain lines and for a page.

`audience` is who may see what now, and what is told meanwhile. `picture` is what lies where, in the colours of
`palette`; `offers` and `selection` are what may be answered, `option_zones` the zones that options stand for. `sights` is all
of this at one moment, `beats` are the moments inside a move. `subjects` are what one can point at, `explanations` and
`reasons` say why that is so, with the words that `booklet` finds in the rules. `player_aids` are what should be in sight
while one chooses, `marked_words` finds the players and cards in a sentence.

Nothing here knows a screen: how wide it is, and what is typed on it.
"""
