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
#   switch v0 none one
# label one
#   return 1
# label none
#   return v1
# (0, 1): return 1: i1
#   0 operations and 1 branches before, 0 and 1 after
# (1, 1): return 1: i1
#   0 operations and 1 branches before, 0 and 1 after
# (1, 0): return 1: i1
#   0 operations and 1 branches before, 0 and 1 after
