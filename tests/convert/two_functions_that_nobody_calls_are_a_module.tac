# test: convert
# to: rvsdg
function cube -> x
  call square x -> y
  * y x -> y
  return y
function square -> x
  * x x -> y
  return y
function down -> n
label again
  + n -3 -> n
  > n 0 -> more
  switch more out again
label out
  return n
# expected:
# (?0 (+ get-0 -3)
# (module
#   (cube
#     (func-1-inputs-1-outputs
#       (* (get-0 (call (func-1-inputs-1-outputs (* get-0 get-0)) get-0)) get-0)))
#   (down
#     (func-1-inputs-1-outputs (get-0 (loop get-0 ?0 (> ?0 0)))))))
