"""Services for editors, both the playground's and those that speak LSP.

In: the path of a file, its text as it is being written, and an offset. Out, as plain data: completions, what a name means
and where it is used, mistakes and the changes that fix them. Texts are `tidy`, as the language reads them; `positions`
translates between offsets and what an editor counts.
"""
