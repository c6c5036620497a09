# test: convert
# to: rvsdg
function -> a b
  switch a done divide
label divide
  / a b -> q
label done
  return b
# expected:
# (func-2-inputs-1-outputs
#   (get-0
#     (switch-1-cases-1-outputs
#       0
#       (get-0 (switch-2-cases-1-outputs get-0 get-0 get-1 0 (/ get-0 get-1)))
#       get-1
#       get-1)))
