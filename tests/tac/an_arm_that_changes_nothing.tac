# test: convert
# to: rvsdg
function -> a b
  & a 1 -> a
  switch a x y
label x
  goto e
label y
label e
  return b
# expected:
# (func-2-inputs-1-outputs get-1)
