//! help Inverts every Nth column.
//! planes grey
//! param period: default 4; whole; range 1 to 100; unit px; help From one inverted column to the next.
uint value(ivec2 p, int c) { return p.x % P.period == 0 ? kFull - at(p, c) : at(p, c); }
