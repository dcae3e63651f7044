//! help Draws the picture in crossed lines, denser where it is darker.
//! kind float
//! feeds view
//! planes grey
//! border none
//! param spacing: default 0.03; range 0.005 to 0.5; slider 0.01 to 0.06; unit of the width; help Distance from one line to the next.
//! param width: default 0.003; range 0.0005 to 0.1; slider 0.001 to 0.01; unit of the width; help Width of a line.
uint value(ivec2 p, int c) {
  const vec2 u = (vec2(p) + 0.5) / vec2(size());
  const float l = float(at(p, c)) / float(kFull), h = P.spacing / 2.0;
  const bool black = (l < 1.0 && mod(u.x + u.y, P.spacing) <= P.width) ||
                     (l < 0.75 && mod(u.x - u.y, P.spacing) <= P.width) ||
                     (l < 0.5 && mod(u.x + u.y - h, P.spacing) <= P.width) ||
                     (l < 0.3 && mod(u.x - u.y - h, P.spacing) <= P.width);
  return black ? 0u : kFull;
}
