# test: convert
# to: rvsdg
# holds: S2.39
function -> x y
* x y -> z
+ z 3 -> w
return y
# expected:
# (func-2-inputs-1-outputs get-1)
