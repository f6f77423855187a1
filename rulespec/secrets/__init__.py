"""The information check: the core of a program -> everything in it that tells somebody a secret.

`docs/secrets.md` says what is guaranteed and why. `knowledge` defines the data and `check_run` what one check keeps.
`comparing` says which keys are certainly equal or different, `visibility` who sees a place by its declaration, and
`facts` who knows what in a state. `parts` and `elements` make values of pieces; `operation_values` and `reading`
evaluate expressions. `steps`, `assigning`, `choices` and `loops` follow single statements, `loop_bodies` looks ahead in
a loop, `assumptions` adds what a condition tells, `ways_apart` and `joining` separate the ways of a branch and merge
them, and `disclosing` finds what a way discloses on purpose; `computing` finds rules that only compute, `watched` the
triggers that a step may fire. `running` follows whole rules, `programs` a whole game, and `findings` puts leaks into
words.
"""
