//! help Turns a pixel white if it exceeds the mean around it minus an offset.
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 4; whole; range 1 to 63; slider 1 to 20; unit px; help The mean is that of a square with a side of 2 * radius + 1.
//! param offset: default 0.05; range -1 to 1; slider -0.2 to 0.2; unit of full scale; help How far below the mean a pixel still turns white.
//! value less: whole rnd(offset * full)
//! value pixels: whole (2 * radius + 1) * (2 * radius + 1)
//! value share: 1 / pixels
//! pass columns -> sums double block 4x40
//! pass rows block 64x1
//! check cv::adaptiveThreshold
#ifdef PASS_columns
#define SUMS_OF_COLUMNS
#else
#define MEANS_OF_ROWS(e, y, mean) \
  mix(uvec4(0u), uvec4(kFull), greaterThan(ivec4(at_four(e, y)), mean - P.less))
#endif
