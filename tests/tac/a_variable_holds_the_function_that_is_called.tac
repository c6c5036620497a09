# test: opt
# holds: S2.8, S2.37
# args: 0, 10
# args: 1, 10
# args: 2, 10
function main -> which x
  mov none -> f
  switch which a b c
label a
  mov less -> f
  goto c
label b
  mov more -> f
label c
  call f x -> y
  call f y -> y
  return y
function less -> x
  - x 1 -> y
  return y
function more -> x
  + x 1 -> y
  return y
function none -> x
  return 0
# expected:
# function main -> v0 v1
#   switch v0 L0 L1 L2
# label L0
#   mov 1 -> v2
#   goto L4
# label L1
#   mov 0 -> v2
#   goto L4
# label L2
#   mov 0 -> v3
# label L3
#   return v3
# label L4
#   + v1 -1 -> v4
#   + v1 1 -> v5
#   select v2 v4 v5 -> v6
#   + v6 -1 -> v7
#   + v6 1 -> v8
#   select v2 v7 v8 -> v3
#   goto L3
#
# function less -> v0
#   + v0 -1 -> v1
#   return v1
#
# function more -> v0
#   + v0 1 -> v1
#   return v1
#
# function none -> v0
#   return 0
# (0, 10): return 8
#   4 operations and 1 branches before, 6 and 1 after
# (1, 10): return 12
#   4 operations and 1 branches before, 6 and 1 after
# (2, 10): return 0
#   2 operations and 1 branches before, 0 and 1 after
