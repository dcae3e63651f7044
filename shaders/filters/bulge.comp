//! help Enlarges or shrinks the content of a circle.
//! kind float
//! feeds view
//! planes grey colour
//! border replicate
//! param centre_x: default 0.5; range 0 to 1; unit of the width; help Centre of the circle, horizontally.
//! param centre_y: default 0.5; range 0 to 1; unit of the height; help Centre of the circle, vertically.
//! param radius: default 0.25; range 0.001 to 1; unit of the width; help Radius of the circle.
//! param scale: default 0.5; range -1 to 1; neutral 0; help Above 0 the content grows, below 0 it shrinks.
uint value(ivec2 p, int c) {
  const vec2 u = (vec2(p) + 0.5) / vec2(size()), middle = vec2(P.centre_x, P.centre_y);
  const float d = length(vec2(u.x - middle.x, (u.y - middle.y) * float(size().y) / float(size().x)));
  if (d >= P.radius) return at(p, c);
  const float s = 1.0 - (1.0 - d / P.radius) * P.scale;
  const vec2 from = (middle + (u - middle) * s * s) * vec2(size()) - 0.5;
  const ivec2 q = ivec2(floor(from));
  const vec2 f = from - vec2(q);
  const float upper = mix(float(at(q, c)), float(at(q + ivec2(1, 0), c)), f.x);
  const float lower = mix(float(at(q + ivec2(0, 1), c)), float(at(q + ivec2(1, 1), c)), f.x);
  return uint(clamp(floor(mix(upper, lower, f.y) + 0.5), 0.0, float(kFull)));
}
