// The bitmap of the foreground and its runs, which all kernels `blobs_*` share. They run in this order: blobs_mark,
// blobs_unite, blobs_number, blobs_measure, blobs_finish, blobs_split, blobs_select.
//
// The method is that of Hennequin, Lacassagne, Cabaret and Meng, "A new Direct Connected Component
// Labeling and Analysis Algorithms for GPUs" (DASIP 2018). A component is made of runs of set bits in the 32-pixel
// words of a row. So a label belongs to a run instead of a pixel, and sums are added once per run. Runs are joined as
// in ECL-CC (Jaiganesh and Burtscher, HPDC 2018). The runs form trees in the buffer of parents. To join two trees, the
// greater root gets the lesser one as its parent by compare-and-swap, and every search for a root shortens the path
// that it followed. So the root of a component is its first run in raster order, on every device.

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint kGroup = 64u;
layout(push_constant) uniform Push { BlobsParams params; };

const uint kAll = 0xffffffffu;

uint wordsPerRow() { return (params.plane.width + 31) / 32; }

// An invocation of the kernels that read the bitmap handles `rowsPerThread` rows, at most 32, of one column of words.
// Most words are empty. So `blobs_mark` stores one bit for each of these rows, which is 1 if the word is not empty, and
// later kernels visit only those rows. These functions return the invocation's column of words, its first row, and
// the index of its word of such bits.
uint columnWord() { return gl_GlobalInvocationID.x % wordsPerRow(); }
uint columnTop() { return gl_GlobalInvocationID.x / wordsPerRow() * params.rowsPerThread; }
uint columnIndex() { return gl_WorkGroupID.z * gl_NumWorkGroups.x * kGroup + gl_GlobalInvocationID.x; }

// Returns the index of a word of the bitmap.
uint wordAt(uint layer, uint word, uint y) {
  return (layer * params.plane.height + y) * wordsPerRow() + word;
}

// Returns the node of a run, which is its index in the buffer of parents. A word needs only 16 nodes, because two runs
// of a word never start in the same pair of pixels.
uint nodeAt(uint wordIndex, uint start) { return wordIndex * 16 + start / 2; }

// Return the first bit of the run that contains bit `i` of a word, and one past its last bit.
uint runStart(uint word, uint i) { return uint(findMSB(~word & ((1u << i) - 1)) + 1); }
uint runEnd(uint word, uint i) {
  const uint gaps = ~word & (kAll << i);
  return gaps == 0 ? 32 : uint(findLSB(gaps));
}

// Returns a word with the bits from `start` to `end` - 1 set. `end` must be greater than `start`.
uint bitsOf(uint start, uint end) { return (kAll >> (32 - (end - start))) << start; }
