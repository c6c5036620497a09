# test: opt
# args: 7, 0
# args: 7, 2
function -> a b
  / a b -> q
  + a 1 -> r
  return r
# expected:
# function -> v0 v1
#   / v0 v1 -> v2
#   + v0 1 -> v3
#   return v3
# (7, 0): trap: division
#   1 operations and 0 branches before, 1 and 0 after
# (7, 2): return 8
#   2 operations and 0 branches before, 2 and 0 after
