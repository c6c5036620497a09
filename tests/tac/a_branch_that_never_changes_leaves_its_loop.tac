# test: opt
# extended: no
# args: 4, 0
# args: 4, 1
function -> n c
  mov 0 -> s
label loop
  switch c a b
label a
  + s n -> s
  goto next
label b
  * s n -> s
  + s 3 -> s
label next
  + n -1 -> n
  > n 0 -> more
  switch more done loop
label done
  return s
# expected:
# function -> v0 v1
#   mov 0 -> v2
# label loop
#   switch v1 a b
# label a
#   + v2 v0 -> v2
#   goto next
# label b
#   * v2 v0 -> v3
#   + v3 3 -> v2
# label next
#   + v0 -1 -> v0
#   > v0 0 -> v4
#   switch v4 done loop
# label done
#   return v2
# (4, 0): return 10
#   12 operations and 8 branches before, 12 and 8 after
# (4, 1): return 30
#   16 operations and 8 branches before, 16 and 8 after
