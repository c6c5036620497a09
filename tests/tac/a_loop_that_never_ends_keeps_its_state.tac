# test: opt
# holds: S2.41
# args: 1, 5
# args: 0, 5
function -> c s
  switch c out forever
label forever
  use s -> s
  + s 0 -> s
  goto forever
label out
  return s
# expected:
# function -> v0 v1
#   switch v0 out forever
# label forever
#   use v1 -> v1
#   goto forever
# label out
#   return v1
# (1, 5): out of fuel
#   666666 operations and 1 branches before, 500000 and 1 after
# (0, 5): return 5
#   0 operations and 1 branches before, 0 and 1 after
