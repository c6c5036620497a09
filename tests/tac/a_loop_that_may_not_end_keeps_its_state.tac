# test: convert
# holds: S2.14, S2.40
# to: rvsdg
function -> go state
  switch go done forever
label forever
  use state -> state
  goto forever
label done
  return state
# expected:
# (func-2-inputs-1-outputs
#   (get-0
#     (switch-2-cases-1-outputs
#       get-0
#       get-1
#       get-0
#       (get-0 (loop get-0 (use get-0) 1)))))
