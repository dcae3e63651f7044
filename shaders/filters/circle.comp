//! help Draws a disc at every mark.
//! feeds view
//! planes grey colour
//! border none
//! input marks: file:tracks.csv, or a plane whose non-zero pixels are marks.
//! param radius: default 3; range 0 to 32; unit px; help Radius of the disc.
//! param red: default 0; range 0 to 1; help Red of the disc; grey planes take the colour's luminance.
//! param green: default 1; range 0 to 1; help Green of the disc.
//! param blue: default 0; range 0 to 1; help Blue of the disc.
//! value reach: whole floor(radius)
//! value square: whole floor(radius * radius)
//! value b: whole rnd(blue * full)
//! value g: whole rnd(green * full)
//! value r: whole rnd(red * full)
//! check the definition
bool isMark(ivec2 p) {
  if (!inImage(p)) return false;
  return kChannels == 1u ? marks(p, 0) != 0u : (marks(p, 0) | marks(p, 1) | marks(p, 2)) != 0u;
}

uint value(ivec2 p, int c) {
  bool drawn = false;
  for (int j = -P.reach; j <= P.reach; ++j)
    for (int i = -P.reach; i <= P.reach; ++i) drawn = drawn || (i * i + j * j <= P.square && isMark(p + ivec2(i, j)));
  if (!drawn) return at(p, c);
  return kChannels == 1u ? luminance(uint(P.b), uint(P.g), uint(P.r)) : uint(c == 0 ? P.b : c == 1 ? P.g : P.r);
}
