# test: errors
function -> x
switch x a b
label a
mov 1 -> y
label b
return y
# expected:
# error: `y` may be read before it is assigned
#  --> errors/unassigned_on_a_path.tac:7:1
#   |
# 7 | return y
#   | ^^^^^^^^
#   |
#   = help: on the path (start) -> b
#   = help: with `--undef zero` it reads as zero there
