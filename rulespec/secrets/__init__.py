"""The information check: the core of a program -> everything in it that tells somebody a secret.

`docs/secrets.md` says what is guaranteed and why. `knowledge` is the data, `facts` what is known where, `reading`
evaluates expressions, `steps` what a single step tells, `running` follows statements, `findings` puts leaks into words.
"""
