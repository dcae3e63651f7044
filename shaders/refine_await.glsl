// The wait of a workgroup of `refine` for its candidate, while `scan` runs at the same time. CPUs do not use it.
// Include this file after declaring `post`, `late` and `results`.
#ifdef LOADS_FOR_CPUS
bool awaitCandidate(uint layer, uint slot, out Candidate candidate) { return false; }
#else
#include "post.glsl"
#define SCANNED(layer) results[layer].scanned
#include "await.glsl"

shared uvec2 taken;  // the posted words of the candidate

// Waits until `scan` has posted the candidate in the given slot of its list, and takes it. Returns false if `scan` has
// finished the layer without filling the slot, or if the wait took too long. All invocations of the workgroup must
// call this together.
bool awaitCandidate(uint layer, uint slot, out Candidate candidate) {
  if (gl_LocalInvocationIndex == 0) {
    const uint at = postOf(layer, slot);
    uvec2 words = uvec2(0);
    bool done = false;  // true if `scan` was done before the words were last read
    uint turn = 0;
    for (; turn < kMostTurns; ++turn) {
      words = uvec2(post[at], post[at + 1]);
      const bool now = SCANNED(layer) >= params.scanners;
      if ((words.x != 0 && words.y != 0) || done) break;
      if (now) memoryBarrierBuffer();
      done = now;
    }
    if (turn == kMostTurns) late[0] = 1;
    waitedEnough = words.x != 0 && words.y != 0;
    if (waitedEnough) post[at] = post[at + 1] = 0;
    taken = words;
  }
  barrier();
  candidate = fromPost(taken);
  return waitedEnough;
}
#endif
