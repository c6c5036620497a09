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
# label done
#   return v4
# label L1
#   * v1 v1 -> v5
#   + v5 49 -> v6
#   + v0 -2 -> v7
#   > v7 0 -> v8
#   - 2 v0 -> v9
#   * v8 v9 -> v10
#   - v10 -> v11
#   * v5 v11 -> v12
#   + v6 v12 -> v4
#   goto done
# (5, 3): return 85
#   20 operations and 5 branches before, 11 and 1 after
# (1, 3): return 49
#   4 operations and 1 branches before, 2 and 1 after
