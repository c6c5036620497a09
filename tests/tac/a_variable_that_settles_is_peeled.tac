# test: opt
# holds: S2.28
# extended: no
# args: 5, 3
# args: 1, 3
function -> n k
  mov 0 -> s
  mov 7 -> p
label loop
  * p p -> t
  + s t -> s
  mov k -> p
  + n -1 -> n
  > n 0 -> more
  switch more done loop
label done
  return s
# expected:
# function -> v0 v1
#   + v0 -1 -> v2
#   > v2 0 -> v3
#   switch v3 L0 L1
# label L0
#   mov 49 -> v4
#   goto done
# label loop
#   + v4 v5 -> v4
#   + v2 -1 -> v2
#   > v2 0 -> v6
#   switch v6 done loop
# label done
#   return v4
# label L1
#   * v1 v1 -> v5
#   mov 49 -> v4
#   goto loop
# (5, 3): return 85
#   20 operations and 5 branches before, 15 and 5 after
# (1, 3): return 49
#   4 operations and 1 branches before, 2 and 1 after
