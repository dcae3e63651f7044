// The workgroup and the push constants of a pass. BLOCK_WIDE_ and BLOCK_HIGH_, the size of a block or tile, are defined
// for passes with blocks or tiles. TILE_ is defined for passes with tiles.
#ifdef TILE_
layout(local_size_x = 256) in;
#else
layout(local_size_x = 16, local_size_y = 4) in;
#endif
#ifdef BLOCK_WIDE_
// This dispatch computes only some blocks of each row, `blocks` in all: the `first` blocks from the left, and those
// that follow after a gap of `gap` blocks.
layout(push_constant) uniform Push { uint width, height, pitch, first, gap, blocks; } push_;
#else
layout(push_constant) uniform Push { uint width, height, pitch; } push_;
#endif
const uint kOut = OUT_CHANNELS_;
