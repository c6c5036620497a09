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
#   switch v1 L2 L0
# label L0
#   mov 0 -> v2
#   goto L1
# label done
#   return v2
# label L1
#   * v2 v0 -> v3
#   + v3 3 -> v2
#   + v0 -1 -> v0
#   > v0 0 -> v4
#   switch v4 done L1
# label L2
#   + v0 -1 -> v5
#   > v5 0 -> v6
#   - 1 v0 -> v7
#   * v6 v7 -> v8
#   - v8 -> v9
#   * v5 v9 -> v10
#   + v0 v10 -> v11
#   >> v9 1 -> v12
#   - -1 v8 -> v13
#   & v13 1 -> v14
#   - v9 v14 -> v15
#   * v12 v15 -> v16
#   - v11 v16 -> v2
#   goto done
# (4, 0): return 10
#   12 operations and 8 branches before, 13 and 1 after
# (4, 1): return 30
#   16 operations and 8 branches before, 16 and 5 after
