# test: read
function -> n   # comment
label loop
  + n -1 -> n ; another
switch n done loop
label done
return n 7
# expected:
# function -> v0
# label loop
#   + v0 -1 -> v0
#   switch v0 done loop
# label done
#   return v0 7
