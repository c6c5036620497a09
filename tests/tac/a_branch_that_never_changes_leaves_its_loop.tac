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
#   switch v1 L0 L1
# label L0
#   mov 0 -> v2
#   goto loop
# label L1
#   mov 0 -> v2
#   goto L2
# label loop
#   + v2 v0 -> v2
#   + v0 -1 -> v0
#   > v0 0 -> v3
#   switch v3 done loop
# label done
#   return v2
# label L2
#   * v2 v0 -> v4
#   + v4 3 -> v2
#   + v0 -1 -> v0
#   > v0 0 -> v5
#   switch v5 done L2
# (4, 0): return 10
#   12 operations and 8 branches before, 12 and 5 after
# (4, 1): return 30
#   16 operations and 8 branches before, 16 and 5 after
