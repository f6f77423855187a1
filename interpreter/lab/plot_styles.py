"""The styles of plots, as CSS for any page that shows them: the colours, light and dark, and how lines are drawn."""

LIGHT = """--page: #fbfaf7; --ink: #1d1f24; --soft: #5d6370; --line: #d9d7d0;
  --card: #ffffff; --one: #1f5fa8; --sure: #b3421f; --same: #5d6370; --s0: #1f5fa8; --s1: #b3421f;
  --s2: #2f7d4f; --s3: #7a4aa0; --s4: #8a6a12; --s5: #0f7482;"""
DARK = """--page: #16181d; --ink: #e8e6e1; --soft: #a5abb8;
  --line: #343944; --card: #1e2128; --one: #7fb2ee; --sure: #f08a62; --same: #a5abb8; --s0: #7fb2ee;
  --s1: #f08a62; --s2: #7fcf9c; --s3: #c49ae8; --s4: #dcb75a; --s5: #6cc7d4;"""

PLOTS = """svg { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .tick, svg .note { fill: var(--soft); font-size: 12px; }
svg .value { font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); } .axis { stroke: var(--soft); }
.reference { stroke: var(--soft); stroke-dasharray: 4 3; }
.bar { fill: var(--one); } .whisker { stroke-width: 2; }
.one .whisker { stroke: var(--one); } .one circle { fill: var(--one); }
.sure .whisker { stroke: var(--sure); } .sure circle { fill: var(--sure); }
.same .whisker { stroke: var(--same); } .same circle { fill: var(--same); }
.step { fill: none; stroke-width: 2; } .key { stroke-width: 3; }
.series0 { stroke: var(--s0); } .series1 { stroke: var(--s1); } .series2 { stroke: var(--s2); }
.series3 { stroke: var(--s3); } .series4 { stroke: var(--s4); } .series5 { stroke: var(--s5); }
g[class^=series] text { stroke: none; } g[class^=series] .key { stroke: inherit; }
"""
