# test: opt
# extended: no
# args: 4
function -> n
  mov 0 -> s
  mov 0 -> i
label loop
  > i 99 -> far
  switch far near away
label away
  * s n -> s
label near
  + s i -> s
  * s 5 -> s
  + i 1 -> i
  > 90 i -> more
  switch more done loop
label done
  return s
# expected:
# function -> v0
#   mov 0 -> v1
#   mov 0 -> v2
# label loop
#   + v1 v2 -> v3
#   * v3 5 -> v1
#   + v2 1 -> v2
#   > 90 v2 -> v4
#   switch v4 done loop
# label done
#   return v1
# (4): return 482158217293455417
#   450 operations and 180 branches before, 360 and 90 after
