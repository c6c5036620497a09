# test: opt
# holds: S2.33, S2.34, S2.35, S2.36, S2.37
function
mov 3 -> n
mov 0 -> sum
label again
+ sum n -> sum
- n 1 -> n
> n 0 -> more
switch more out again
label out
goto last
label unseen
return 1 2
label last
return sum n
# expected:
# function
#   return 6 0
