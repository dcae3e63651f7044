//! help Draws a plus, one pixel wide, at each mark.
//! feeds view
//! planes grey colour
//! border none
//! input marks: what to mark: file:tracks.csv, or a plane, each of whose pixels that is not 0 is marked
//! param size: default 5; whole; range 1 to 63; unit px; help Its width and height; of an even size one less.
//! param red: default 0; range 0 to 1; help Of its colour; grey planes take the luminance.
//! param green: default 1; range 0 to 1; help Of its colour.
//! param blue: default 0; range 0 to 1; help Of its colour.
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
