# test: opt
# holds: S2.49
# extended: no
# args: 3, 5
# args: 3, 0
function -> x n
  mov 1 -> y
label loop
  & n 1 -> odd
  switch odd even multiply
label multiply
  * y x -> y
label even
  * x x -> x
  >> n 1 -> n
  = n 0 -> c
  switch c loop done
label done
  return y
# expected:
# function -> v0 v1
#   mov 1 -> v2
# label loop
#   & v1 1 -> v3
#   switch v3 even multiply
# label multiply
#   * v2 v0 -> v2
# label even
#   * v0 v0 -> v0
#   >> v1 1 -> v1
#   ! v1 -> v4
#   switch v4 loop done
# label done
#   return v2
# (3, 5): return 243
#   14 operations and 6 branches before, 11 and 6 after
# (3, 0): return 1
#   4 operations and 2 branches before, 3 and 2 after
