# test: opt
# holds: S2.14, S2.37
# extended: no
# args: 5, 6, 0
# args: -4, 9, 3
function -> s t n
label again
  use s t -> t s fresh
  + n -1 -> n
  > n 0 -> more
  switch more done again
label done
  use -> empty
  return s t fresh empty
# expected:
# function -> v0 v1 v2
# label again
#   use v0 v1 -> v3
#   use v1 v0 -> v4
#   + v2 -1 -> v2
#   > v2 0 -> v5
#   switch v5 done L0
# label L0
#   mov v4 -> v0
#   mov v3 -> v1
#   goto again
# label done
#   use 0 -> v6
#   use 0 v0 v1 -> v7
#   return v4 v3 v7 v6
# (5, 6, 0): return 6, 5, 0, 0
#   6 operations and 1 branches before, 6 and 1 after
# (-4, 9, 3): return 9, -4, 0, 0
#   16 operations and 3 branches before, 14 and 3 after
