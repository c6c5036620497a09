# test: opt
function -> n
mov 0 -> zero
* n zero -> nothing
switch nothing never always
label always
+ n 1 -> r
return r
label never
- n 1 -> r
+ r 2 -> r
return r
# expected:
# function -> v0
#   + v0 1 -> v1
#   return v1
