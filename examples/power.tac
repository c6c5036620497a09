# x to the n-th power, by squaring; the product by 1 and the square that is computed twice are for the optimizer.
function -> x n
  mov 1 -> r
label loop
  & n 1 -> odd
  switch odd even times
label times
  * r x -> r
label even
  * x x -> square
  * square 1 -> x
  >> n 1 -> n
  ! n -> done
  switch done loop end
label end
  return r
