# test: convert
# to: tac
function -> x n
mov 1 -> r
label loop
& n 1 -> odd
switch odd even odd
label odd
* r x -> r
label even
* x x -> x
>> n 1 -> n
switch n done loop
label done
return r
# expected:
# function -> v0 v1
#   mov 1 -> v2
# label loop
#   & v1 1 -> v3
#   switch v3 even odd
# label odd
#   * v2 v0 -> v2
# label even
#   * v0 v0 -> v0
#   >> v1 1 -> v1
#   switch v1 done loop
# label done
#   return v2
