# test: convert
# holds: S2.41
# to: rvsdg
function -> a b
  & a 1 -> c
  switch c x y
label lost
  + b 7 -> b
  goto y
label x
  return a b
label y
  return b a
# expected:
# (?0 (switch-2-cases-2-outputs (& get-0 1) get-0 get-1 get-0 get-1 get-1 get-0)
# (func-2-inputs-2-outputs (get-0 ?0) (get-1 ?0)))
