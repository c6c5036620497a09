# test: opt
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
#   mov 1 -> v2
# label loop
#   & v1 1 -> v3
#   switch v3 even multiply
# label multiply
#   * v2 v0 -> v2
# label even
#   * v0 v0 -> v0
#   >> v1 1 -> v4
#   ! v4 -> v5
#   switch v5 done L0
# label L0
#   mov 0 -> v1
#   goto loop
# label done
#   return v2
# (3, 5): return 3
#   5 operations and 2 branches before, 4 and 2 after
