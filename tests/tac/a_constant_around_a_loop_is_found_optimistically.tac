# test: opt
# extended: no
# args: 4
function -> n
  mov 1 -> flag
  mov 0 -> s
  mov 0 -> i
label loop
  * flag 2 -> twice
  > twice 3 -> high
  switch high low high_arm
label high_arm
  mov 0 -> flag
label low
  + s twice -> s
  + i 1 -> i
  > n i -> more
  switch more done loop
label done
  return s
# expected:
# function -> v0
#   > v0 1 -> v1
#   + v0 -1 -> v2
#   * v1 v2 -> v3
#   + 1 v3 -> v4
#   << v4 1 -> v5
#   return v5
# (4): return 8
#   20 operations and 8 branches before, 5 and 0 after
