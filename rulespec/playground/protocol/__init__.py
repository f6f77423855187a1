"""The messages between the page and the backend: what the page may ask, and what comes back.

A request that a page sends is a class here with the name of its kind, such as `CheckRequest`; what answers it returns
the reply, to which the backend adds `ok`. Offsets and columns count UTF-16 units, as editors in browsers do.
`make accept` writes all of it in TypeScript, into `docs/playground/src/messages.ts`: a docstring, and the comment
above a field, become the comments there.
"""
