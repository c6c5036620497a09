# test: convert
# to: rvsdg
function -> n x
  & n 7 -> n
label loop
  + x 1 -> x
  + n -1 -> n
  & n 3 -> c
  % c 3 -> c
  switch c out loop loop
label out
  + x 100 -> x
  return x
# expected:
# (?0 (+ get-1 1)
# (?1 (+ get-2 -1)
# (?2
#   (switch-3-cases-3-outputs
#     (% (& ?1 3) 3)
#     get-2
#     ?1
#     get-1
#     ?0
#     get-2
#     get-0
#     0
#     get-3
#     get-1
#     1
#     get-3
#     get-1
#     1)
# (func-2-inputs-1-outputs
#   (+ (get-0 (loop 0 get-1 (& get-0 7) ?0 (get-0 ?2) (get-1 ?2) (get-2 ?2))) 100)))))
