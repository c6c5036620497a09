# test: opt
# holds: S2.49
# extended: no
# args: 3, 5
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
  switch c done loop
label done
  return y
# expected:
# function -> v0 v1
#   >> v1 1 -> v2
#   ! v2 -> v3
#   switch v3 L1 loop
# label loop
#   goto loop
# label L0
#   return v0
# label L1
#   & v1 1 -> v4
#   switch v4 L2 L0
# label L2
#   mov 1 -> v0
#   goto L0
# (3, 5): return 3
#   5 operations and 2 branches before, 2 and 2 after
