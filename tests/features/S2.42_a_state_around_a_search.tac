# test: convert
# to: rvsdg
# holds: S2.40, S2.41, S2.42
function -> io n
label search
* n n -> n
use io -> io
switch 1 found search
label found
return io n
# expected:
# (?0 (loop get-0 get-1 (use get-0) (* get-1 get-1) 1)
# (func-2-inputs-2-outputs (get-0 ?0) (get-1 ?0)))
