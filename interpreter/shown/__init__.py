"""A game -> everything that a screen shows of it, as plain data: the same for a terminal, for plain lines and for a page.

`audience` decides who may see what now, and what the story tells meanwhile. `picture` holds what lies where, in the
colours of `palette`; `offers` and `selection` hold the possible answers, `option_zones` the zones that options stand for.
`sights` combines all of this at one moment; `beats` are the moments within a move. `subjects` are the things that a
player can point at; `explanations` and `reasons` say why they are as they are, in the words that `booklet` finds in the
rules. `player_aids` list what should be in view during a choice; `marked_words` finds players and cards in a sentence.

Nothing here knows a screen: neither its width nor its keys.
"""
