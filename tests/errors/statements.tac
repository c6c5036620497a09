# test: errors
function -> x x
mov 1 2 -> r
foo x -> y
+ x -> y
+ x 1 -> 3
switch x
switch x a
label a
return x -> y
# expected:
# error: `x` names two arguments
#  --> errors/statements.tac:2:15
#   |
# 2 | function -> x x
#   |               ^
#
# error: `mov` is written `mov x -> y`
#  --> errors/statements.tac:3:1
#   |
# 3 | mov 1 2 -> r
#   | ^^^
#
# error: unknown operator `foo`
#  --> errors/statements.tac:4:1
#   |
# 4 | foo x -> y
#   | ^^^
#
# error: `+` takes 2 operands, not 1
#  --> errors/statements.tac:5:1
#   |
# 5 | + x -> y
#   | ^
#
# error: `3` cannot be a variable
#  --> errors/statements.tac:6:10
#   |
# 6 | + x 1 -> 3
#   |          ^
#
# error: `switch` takes two or more labels
#  --> errors/statements.tac:7:1
#   |
# 7 | switch x
#   | ^^^^^^
#
# error: `switch` takes two or more labels
#  --> errors/statements.tac:8:1
#   |
# 8 | switch x a
#   | ^^^^^^
#
# error: `return` has no results
#   --> errors/statements.tac:10:10
#    |
# 10 | return x -> y
#    |          ^^
#
# error: control reaches the end of the function
#  --> errors/statements.tac:9:1
#   |
# 9 | label a
#   | ^^^^^^^
#   |
#   = help: the last statement of a function is `return`, `goto` or `switch`
