# test: convert
# to: rvsdg
# width: 2
function -> a
  switch a zero one two three
label zero
  return 1
label one
  return a
label two
  return 3
label three
  return 0
# expected:
# (func-1-inputs-1-outputs
#   (get-0 (switch-4-cases-1-outputs (+ get-0 2) get-0 -1 0 1 get-0)))
