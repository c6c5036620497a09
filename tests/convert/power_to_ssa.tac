# test: convert
# to: ssa
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
# func main(v0: i64, v1: i64) -> i64 {
# block0:
#     jump loop(v1, 1, v0)
# loop(v2: i64, v3: i64, v4: i64):
#     v5 = and(v2, 1)
#     branch v5, odd, even(v3)
# odd:
#     v6 = mul(v3, v4)
#     jump even(v6)
# even(v7: i64):
#     v8 = mul(v4, v4)
#     v9 = urshift(v2, 1)
#     switch v9 [0: done, 1: loop(v9, v7, v8)], block5
# done:
#     return v7
# block5:
#     unreachable
# }
