# test: errors
function -> x
  + x 1 -> f
  call f x -> y
  return y
# expected:
# error: a function is used as a number, or a number as a function
#  --> errors/a_variable_that_is_no_function_is_not_called.tac:4:3
#   |
# 4 |   call f x -> y
#   |   ^^^^^^^^^^^^^
