# test: opt
# extended: no
# args: 5
function -> x
  mov 0 -> s
  mov 3 -> i
label outer
  mov 2 -> j
label inner
  * x j -> t
  + s t -> s
  + j -1 -> j
  > j 0 -> c
  switch c next inner
label next
  + i -1 -> i
  > i 0 -> c
  switch c done outer
label done
  return s
# expected:
# function -> v0
#   * v0 9 -> v1
#   return v1
# (5): return 45
#   30 operations and 9 branches before, 1 and 0 after
