# test: opt
# extended: no
# undef: zero
# args: 1
# args: 2
function -> a
  & a 1 -> c
  switch c two one
label one
  mov 5 -> x
label two
  return x
# expected:
# function -> v0
#   & v0 1 -> v1
#   switch v1 L0 L1
# label L0
#   mov 0 -> v2
#   goto two
# label L1
#   mov 5 -> v2
# label two
#   return v2
# (1): return 5
#   1 operations and 1 branches before, 1 and 1 after
# (2): return 0
#   1 operations and 1 branches before, 1 and 1 after
