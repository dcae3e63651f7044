//! help Turns a pixel white if it reaches a multiple of the previous frame's mean.
//! feeds response
//! planes grey
//! follows
//! param factor: default 1; range 0 to 4; slider 0 to 2; help The multiple; the first frame uses its own mean.
//! value least: whole ceil(factor * input_mean)
//! check the definition
uint value(ivec2 p, int c) { return at(p, c) >= uint(P.least) ? kFull : 0u; }
