# test: convert
# holds: S2.13, S2.57
# to: rvsdg
function -> a n
  & n 15 -> n
  & a 1 -> c
  switch c left right
label left
  + a 1 -> a
  + n -1 -> n
  goto right
label right
  * a 3 -> a
  > n 0 -> go
  + n -1 -> n
  switch go done left
label done
  return a
# expected:
# (?0
#   (switch-2-cases-5-outputs
#     (& get-0 1)
#     (& get-1 15)
#     get-0
#     1
#     0
#     get-0
#     0
#     get-1
#     0
#     get-0
#     0
#     get-1
#     0)
# (?1 (* get-3 3)
# (?2
#   (switch-2-cases-4-outputs
#     (> get-0 0)
#     get-1
#     (+ get-0 -1)
#     get-2
#     get-4
#     ?1
#     get-2
#     get-0
#     0
#     get-3
#     1
#     get-1
#     1
#     get-4)
# (?3
#   (switch-2-cases-7-outputs
#     get-1
#     get-2
#     get-3
#     get-1
#     get-4
#     get-5
#     get-0
#     ?1
#     (get-0 ?2)
#     get-0
#     (get-1 ?2)
#     (get-2 ?2)
#     get-3
#     (get-3 ?2)
#     get-5
#     0
#     (+ get-1 -1)
#     get-1
#     1
#     (+ get-4 1)
#     get-4)
# (func-2-inputs-1-outputs
#   (get-0
#     (loop
#       0
#       (get-0 ?0)
#       (get-1 ?0)
#       (get-2 ?0)
#       (get-3 ?0)
#       (get-4 ?0)
#       (get-0 ?3)
#       (get-1 ?3)
#       (get-2 ?3)
#       (get-3 ?3)
#       (get-5 ?3)
#       (get-6 ?3)
#       (get-4 ?3))))))))
