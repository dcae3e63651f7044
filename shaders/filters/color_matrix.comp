//! help Mixes channels: each becomes a weighted sum of all three, plus a constant.
//! kind float
//! feeds response
//! planes colour
//! border none
//! param matrix: default 1 0 0 0  0 1 0 0  0 0 1 0; range -8 to 8; slider -2 to 2; help
//!   Rows for red, green and blue: the weights of red, green and blue, then the constant, with full scale as 1.
//! param intensity: default 1; range 0 to 1; neutral 0; help The result's share of the output; the rest is the input.
//! check cv::transform
float row(vec4 weights, ivec2 p) {
  return dot(weights, vec4(at(p, 2), at(p, 1), at(p, 0), float(kFull)));
}

uint value(ivec2 p, int c) {
  const vec4 red = vec4(P.matrix_0, P.matrix_1, P.matrix_2, P.matrix_3);
  const vec4 green = vec4(P.matrix_4, P.matrix_5, P.matrix_6, P.matrix_7);
  const vec4 blue = vec4(P.matrix_8, P.matrix_9, P.matrix_10, P.matrix_11);
  const float mixed = row(c == 2 ? red : c == 1 ? green : blue, p);
  return uint(clamp(floor(mix(float(at(p, c)), mixed, P.intensity) + 0.5), 0.0, float(kFull)));
}
