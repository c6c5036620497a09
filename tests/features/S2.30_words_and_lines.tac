# test: read
# holds: S2.30, S2.31, S2.32, S2.33
function -> a.b +x? 12e   ; two comments  # in one
   +   a.b    +x?  -> "…"
label Ω!
* "…" 12e -> →
return → 12e
# expected:
# function -> v0 v1 v2
#   + v0 v1 -> v3
#   * v3 v2 -> v4
#   return v4 v2
