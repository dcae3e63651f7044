//! help Turns colour into grey: a weighted sum of red, green and blue.
//! kind float
//! feeds measure
//! planes colour
//! gives grey
//! border none
//! param weights: default 0.2125 0.7154 0.0721; range -4 to 4; slider -1 to 1; help Weights of red, green and blue.
//! param offset: default 0; range -1 to 1; unit of full scale; help Added to the sum.
//! check cv::transform
uint value(ivec2 p, int c) {
  const float sum = P.weights_0 * float(at(p, 2)) + P.weights_1 * float(at(p, 1)) + P.weights_2 * float(at(p, 0));
  return uint(clamp(floor(sum + P.offset * float(kFull) + 0.5), 0.0, float(kFull)));
}
