# test: opt
# width: 1
# args: 0, 1
# args: 1, 1
# args: 1, 0
function -> a b
  switch a none one two two
label one
  return 1
label two
  return 0
label none
  return b
# expected:
# function -> v0 v1
#   select v0 1 v1 -> v2
#   return v2
# (0, 1): return 1: i1
#   0 operations and 1 branches before, 1 and 0 after
# (1, 1): return 1: i1
#   0 operations and 1 branches before, 1 and 0 after
# (1, 0): return 1: i1
#   0 operations and 1 branches before, 1 and 0 after
