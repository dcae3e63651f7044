//! help White where a pixel is at least so many times as bright as the mean of the frame before.
//! feeds response
//! planes grey
//! follows
//! param factor: default 1; range 0 to 4; slider 0 to 2; help Times what the mean is taken; the first frame uses its own mean.
//! value least: whole ceil(factor * input_mean)
//! check the definition
uint value(ivec2 p, int c) { return at(p, c) >= uint(P.least) ? kFull : 0u; }
