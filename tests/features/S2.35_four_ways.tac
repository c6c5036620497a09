# test: opt
# holds: S2.34, S2.35, S2.36, S2.37, S2.38
# args: 0, 9
# args: 1, 9
# args: 3, 9
function -> which x
switch which a b c d
label a
mov x -> r
goto end
label b
- x -> r
goto end
label c
! x -> r
label d
% x 4 -> r
label end
return r 7
# expected:
# function -> v0 v1
#   switch v0 end b d d
# label b
#   - v1 -> v1
#   goto end
# label d
#   >>s v1 63 -> v2
#   >> v2 62 -> v3
#   + v1 v3 -> v4
#   & v4 3 -> v5
#   - v5 v3 -> v1
# label end
#   return v1 7
# (0, 9): return 9, 7
#   0 operations and 1 branches before, 0 and 1 after
# (1, 9): return -9, 7
#   1 operations and 1 branches before, 1 and 1 after
# (3, 9): return 1, 7
#   1 operations and 1 branches before, 5 and 1 after
