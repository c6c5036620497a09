# test: errors
function -> a
  & a 1 -> c
  switch c one two
label one
  mov 5 -> x
label two
  return x
# expected:
# error: `x` may be read before it is assigned
#  --> tac/a_variable_that_one_path_leaves_unassigned.tac:8:3
#   |
# 8 |   return x
#   |   ^^^^^^^^
#   |
#   = help: on the path (start) -> two
#   = help: with `--undef zero` it reads as zero there
