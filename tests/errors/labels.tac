# test: errors
function -> n
goto nowhere
label a
label a
return n
# expected:
# error: there are two labels `a`
#  --> errors/labels.tac:5:1
#   |
# 5 | label a
#   | ^^^^^^^
#
# error: there is no label `nowhere`
#  --> errors/labels.tac:3:1
#   |
# 3 | goto nowhere
#   | ^^^^^^^^^^^^
