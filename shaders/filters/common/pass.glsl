// The workgroup and the push constants of a pass. BLOCK_WIDE_ and BLOCK_HIGH_ are defined for passes with blocks or
// tiles, TILE_ for passes with tiles.
#ifdef TILE_
layout(local_size_x = 256) in;
#else
layout(local_size_x = 16, local_size_y = 4) in;
#endif
#ifdef BLOCK_WIDE_
// The blocks of a row that run are the `first` ones and those after the next `gap`, `blocks` of them in all.
layout(push_constant) uniform Push { uint width, height, pitch, first, gap, blocks; } push_;
#else
layout(push_constant) uniform Push { uint width, height, pitch; } push_;
#endif
const uint kOut = OUT_CHANNELS_;
