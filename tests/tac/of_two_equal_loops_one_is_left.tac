# test: opt
# args: 4, 9
# args: 0, 5
function -> n a
  mov 0 -> i
  mov 1 -> s
label first
  * s a -> s
  + s i -> s
  + i 1 -> i
  > n i -> c
  switch c middle first
label middle
  * s 3 -> r
  mov 0 -> j
  mov 1 -> t
label second
  * t a -> t
  + t j -> t
  + j 1 -> j
  > n j -> c
  switch c last second
label last
  + r t -> r
  return r
# expected:
# function -> v0 v1
#   mov 1 -> v2
#   mov 0 -> v3
# label first
#   * v2 v1 -> v4
#   + v4 v3 -> v2
#   + v3 1 -> v3
#   > v0 v3 -> v5
#   switch v5 last first
# label last
#   << v2 2 -> v6
#   return v6
# (4, 9): return 26652
#   34 operations and 8 branches before, 17 and 4 after
# (0, 5): return 20
#   10 operations and 2 branches before, 5 and 1 after
