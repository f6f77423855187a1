"""The information check: the core of a program -> everything in it that tells somebody a secret.

`docs/secrets.md` says what is guaranteed and why. `knowledge` defines the data, `facts` answers who knows what in a
state, and `parts` makes values of pieces; `reading` evaluates expressions; `steps`, `choices` and `loops` follow
single statements, `joining` merges states where ways meet, and `disclosing` finds what a way discloses on purpose;
`computing` finds rules that only compute. `running` follows whole rules, `programs` a whole game, and `findings`
puts leaks into words.
"""
