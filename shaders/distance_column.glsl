// Declarations that the two methods for the distances along one column share. distance_envelope.glsl takes the same
// time whatever the column contains. distance_search.glsl is for short columns on devices with many lanes.
//
// A column extends along the dimension that is being transformed. A site is a row of the column for which a squared
// distance f in the dimensions done before is known. The site in row v contributes the squared distance
// f + along * (i - v)^2 to row i, and the result of row i is the least of these. A workgroup handles kLanes columns
// side by side.
//
// The includer declares `params` (DistanceEnvelopeParams) and defines the functions that are declared here.

layout(local_size_x_id = 0, local_size_y_id = 4) in;
layout(constant_id = 0) const uint kLanes = 64u;
layout(constant_id = 1) const uint kFloat = 0u;   // 1: values are floats; 0: integers, and the spacing is 1
layout(constant_id = 2) const uint kSites = 0u;   // 1: the nearest sites are wanted, too
layout(constant_id = 3) const uint kShared = 0u;  // most rows of a column whose words fit in columnMemory; 0: none do
// Invocations per column. 1: distance_envelope.glsl; more: distance_search.glsl, with a block of rows for each.
layout(constant_id = 4) const uint kTogether = 1u;

const uint kNoSite = 0xffffu;
const uint kBlock = kDistanceBlock;
const uint kGroup = kDistanceGroup;  // blocks
// One word for each row of each column, and for the search one for each of their blocks and groups.
shared uint columnMemory[(kShared + kShared / kBlock + kShared / kBlock / kGroup) * kLanes + 1u];

// Returns the value f of the site in a row, as the bits of an integer or of a float, or kNoDistance if it has no site.
uint siteValue(uint row);
// Stores the distance of a row, and the row of its nearest site, which is kNoSite if the column has no site.
void put(uint row, uint value, uint site);
