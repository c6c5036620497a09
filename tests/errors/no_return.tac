# test: errors
function -> x
+ x 1 -> y
# expected:
# error: control reaches the end of the function
#  --> errors/no_return.tac:3:1
#   |
# 3 | + x 1 -> y
#   | ^^^^^^^^^^
#   |
#   = help: the last statement of a function is `return`, `goto` or `switch`
