# test: convert
# to: rvsdg
# width: 1
function -> a b
label loop
  + a 1 -> a
  switch a on first
label on
  + b 1 -> b
  switch b more second
label more
  + a b -> c
  switch c loop third
label first
  return b
label second
  switch a first third
label third
  return a
# expected:
# error: function main: control goes to more places than a word of 1 bits counts
#  --> convert/a_word_of_one_bit_cannot_tell_four_ways_apart.tac:4:1
#   |
# 4 | function -> a b
#   | ^^^^^^^^^^^^^^^
