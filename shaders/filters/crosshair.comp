//! help Draws a plus sign, one pixel wide, at every mark.
//! feeds view
//! planes grey colour
//! border none
//! input marks: file:tracks.csv, or a plane whose non-zero pixels are marks.
//! param size: default 5; whole; range 1 to 63; unit px; help Width and height; an even size counts as one less.
//! param red: default 0; range 0 to 1; help Red of the plus sign; grey planes take the colour's luminance.
//! param green: default 1; range 0 to 1; help Green of the plus sign.
//! param blue: default 0; range 0 to 1; help Blue of the plus sign.
//! value arm: whole floor((size - 1) / 2)
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
  for (int i = -P.arm; i <= P.arm; ++i) drawn = drawn || isMark(p + ivec2(i, 0)) || isMark(p + ivec2(0, i));
  if (!drawn) return at(p, c);
  return kChannels == 1u ? luminance(uint(P.b), uint(P.g), uint(P.r)) : uint(c == 0 ? P.b : c == 1 ? P.g : P.r);
}
