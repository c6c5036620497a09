# test: read
function -> größe λ
label start
  + größe λ -> Σ
  switch Σ start ende
label ende
  return Σ
# expected:
# function -> v0 v1
# label start
#   + v0 v1 -> v2
#   switch v2 start ende
# label ende
#   return v2
