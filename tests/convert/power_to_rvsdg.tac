# test: convert
# holds: S2.38, S2.47
# to: rvsdg
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
# (?0 (>> get-1 1)
# (?1
#   (get-0
#     (switch-2-cases-1-outputs (& get-1 1) get-2 get-3 get-0 (* get-0 get-1)))
# (?2
#   (switch-2-cases-4-outputs
#     ?0
#     get-1
#     ?0
#     get-2
#     ?1
#     get-3
#     (* get-3 get-3)
#     get-0
#     0
#     get-2
#     get-4
#     get-1
#     1
#     get-3
#     get-5)
# (func-2-inputs-1-outputs
#   (get-0 (loop 0 get-1 1 get-0 ?1 (get-0 ?2) (get-2 ?2) (get-3 ?2) (get-1 ?2)))))))
