"""The information check: the core of a program -> everything in it that tells somebody a secret.

`docs/secrets.md` says what is guaranteed and why. `knowledge` is the data, `facts` what is known where, and `parts` how values of pieces are made; `reading`
evaluates expressions; `steps`, `choices` and `loops` follow single statements, `joining` is where ways meet, and
`disclosing` finds what a way is made to tell; `computing` knows rules that only compute. `running` follows whole
rules, `programs` a whole game, and `findings` puts leaks into words.
"""
