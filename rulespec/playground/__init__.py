"""The playground of the site: requests of a page -> replies, both as JSON text.

It runs in a web worker on Pyodide and, in tests, anywhere. `rulespec.playground.protocol` has all
requests and replies. The language and the engine do the work; here it is only asked for and told.

>>> import json
>>> from rulespec.playground.backend import Backend
>>> rules = {"file": "well.rules", "text": 'game "The Well"\\nplayers 2..\\n'}
>>> reply = json.loads(Backend().answer(json.dumps({"kind": "check", "rules": rules})))
>>> [(each["code"], each["message"]) for each in reply["diagnostics"]]
[('RS101', 'the number of players is one number or a range')]
"""
