// What the two ways to the distances along one column share: distance_envelope.glsl, whose time does not depend
// on what the column holds, and distance_search.glsl for short columns on devices with many lanes.
//
// Site v, whose squared distance in the dimensions done before is f, contributes f + along * (i - v)^2
// at row i. A workgroup has kLanes columns side by side.
//
// The includer declares `params` (DistanceEnvelopeParams) and defines what is declared here.

layout(local_size_x_id = 0, local_size_y_id = 4) in;
layout(constant_id = 0) const uint kLanes = 64u;
layout(constant_id = 1) const uint kFloat = 0u;   // 1: values are floats; 0: integers, spacing 1
layout(constant_id = 2) const uint kSites = 0u;   // 1: sites are asked for, too
layout(constant_id = 3) const uint kShared = 0u;  // rows, at most, that have a word in columnMemory
layout(constant_id = 4) const uint kTogether = 1u;  // invocations a column; more than 1: they search, a block of rows each

const uint kNoSite = 0xffffu;
const uint kBlock = kDistanceBlock;
const uint kGroup = kDistanceGroup;  // blocks
// kShared rows, and where they are searched a word for each of their blocks and groups.
shared uint columnMemory[(kShared + kShared / kBlock + kShared / kBlock / kGroup) * kLanes + 1u];

uint siteValue(uint row);  // bits of an integer or of a float; kNoDistance: no site
void put(uint row, uint value, uint site);  // the result at a row; site kNoSite: there is none
