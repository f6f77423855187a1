"""What an editor asks about a text of rules, for every editor: the playground's, and those that speak LSP.

Goes in: the path of a file, its text as it is being written, and a place in it. Comes out: words that fit, what a
name means and where, what is wrong and what mends it, as plain data. Texts are `tidy`, as the language reads them;
`positions` translates from and to what an editor counts.
"""
