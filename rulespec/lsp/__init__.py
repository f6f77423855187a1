"""The language server: what `rulespec.editing` knows, for editors that speak the Language Server Protocol.

Only this package knows `pygls`, which comes with the extra `lsp`.
"""
