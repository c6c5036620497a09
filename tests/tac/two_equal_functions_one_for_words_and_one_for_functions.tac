# test: opt
# holds: S2.8, S2.10
# args: 4, 0
# args: 4, 3
function main -> x n
  mov left -> pick
  mov 0 -> i
label more
  call pick x 10 -> y
  mov right -> pick
  + y x -> x
  + i 1 -> i
  > n i -> c
  switch c done more
label done
  call keep triple square -> f
  call f x -> r
  return r
function left -> a b
  return a
function right -> a b
  return b
function keep -> a b
  return b
function triple -> a
  * a 3 -> a
  return a
function square -> a
  * a a -> a
  return a
# expected:
# function main -> v0 v1
#   << v0 1 -> v2
#   > v1 1 -> v3
#   switch v3 L0 L1
# label L0
#   * v2 v2 -> v4
#   return v4
# label L1
#   * v1 10 -> v5
#   + v5 v2 -> v6
#   + v6 -10 -> v2
#   goto L0
#
# function left -> v0 v1
#   return v0
#
# function right -> v0 v1
#   return v1
#
# function keep -> v0 v1
#   return v1
#
# function triple -> v0
#   * v0 3 -> v1
#   return v1
#
# function square -> v0
#   * v0 v0 -> v1
#   return v1
# (4, 0): return 64
#   7 operations and 1 branches before, 3 and 1 after
# (4, 3): return 784
#   15 operations and 3 branches before, 6 and 1 after
