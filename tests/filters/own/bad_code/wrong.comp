//! help Does not compile.
//! planes grey
uint value(ivec2 p, int c) {
  return at(p, c) + brightness;
}
