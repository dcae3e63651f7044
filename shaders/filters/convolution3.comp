//! help Correlates the picture with a 3x3 kernel.
//! kind float
//! feeds response
//! planes grey colour
//! border replicate
//! param kernel: default 0 0 0  0 1 0  0 0 0; range -64 to 64; slider -8 to 8; help The kernel's rows, from the upper left.
//! param offset: default 0; range -1 to 1; unit of full scale; help Added to every result.
//! check cv::filter2D
uint value(ivec2 p, int c) {
  const vec3 upper = vec3(at(p + ivec2(-1, -1), c), at(p + ivec2(0, -1), c), at(p + ivec2(1, -1), c));
  const vec3 middle = vec3(at(p + ivec2(-1, 0), c), at(p, c), at(p + ivec2(1, 0), c));
  const vec3 lower = vec3(at(p + ivec2(-1, 1), c), at(p + ivec2(0, 1), c), at(p + ivec2(1, 1), c));
  const float sum = dot(upper, vec3(P.kernel_0, P.kernel_1, P.kernel_2)) +
                    dot(middle, vec3(P.kernel_3, P.kernel_4, P.kernel_5)) +
                    dot(lower, vec3(P.kernel_6, P.kernel_7, P.kernel_8));
  return uint(clamp(floor(sum + P.offset * float(kFull) + 0.5), 0.0, float(kFull)));
}
