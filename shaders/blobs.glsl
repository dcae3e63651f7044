// Foreground bitmap and runs, which all kernels of the blobs share.
//
// The method is that of Hennequin, Lacassagne, Cabaret and Meng, "A new Direct Connected Component
// Labeling and Analysis Algorithms for GPUs" (DASIP 2018): a component is made of runs of set bits
// in the 32-pixel words of a row, so that a label stands for a run, not a pixel, and sums are added
// once a run. Runs are joined as in ECL-CC (Jaiganesh and Burtscher, HPDC 2018): the greater root
// is hooked to the lesser by compare-and-swap, and searches shorten their path behind them.
// So a component's root is its first run in raster order, on every device.

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
layout(push_constant) uniform Push { BlobsParams params; };

const uint kAll = 0xffffffffu;

uint wordsPerRow() { return (params.plane.width + 31) / 32; }

// An invocation of the kernels that read the bitmap goes down the rows of a column of words; but only
// those that `blobs_mark` found occupied: a bit each in one word, as most are empty.
uint columnWord() { return gl_GlobalInvocationID.x % wordsPerRow(); }
uint columnTop() { return gl_GlobalInvocationID.x / wordsPerRow() * params.rowsPerThread; }
uint columnIndex() { return gl_WorkGroupID.z * gl_NumWorkGroups.x * kGroup + gl_GlobalInvocationID.x; }

// Index of a word of the bitmap.
uint wordAt(uint layer, uint word, uint y) {
  return (layer * params.plane.height + y) * wordsPerRow() + word;
}

// The node of a run in the parents: two runs of a word never start in the same pair of pixels.
uint nodeAt(uint wordIndex, uint start) { return wordIndex * 16 + start / 2; }

// Where the run that holds bit `i` of a word starts, and one past its end.
uint runStart(uint word, uint i) { return uint(findMSB(~word & ((1u << i) - 1)) + 1); }
uint runEnd(uint word, uint i) {
  const uint gaps = ~word & (kAll << i);
  return gaps == 0 ? 32 : uint(findLSB(gaps));
}

// The bits from `start` to one before `end`, of which there is at least one.
uint bitsOf(uint start, uint end) { return (kAll >> (32 - (end - start))) << start; }
