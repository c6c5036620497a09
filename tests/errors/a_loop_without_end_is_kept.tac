# test: errors
function -> x
label a
use x -> x
goto a
# expected:
# warning: from here no return can be reached
#  --> errors/a_loop_without_end_is_kept.tac:3:1
#   |
# 3 | label a
#   | ^^^^^^^
#   |
#   = help: the loop is kept: it never ends
