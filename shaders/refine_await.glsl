// The wait of a workgroup of `refine` for its candidate. Include after declaring `post`, `late` and `results`.
#ifdef LOADS_FOR_CPUS
bool awaitCandidate(uint layer, uint slot, out Candidate candidate) { return false; }
#else
#include "post.glsl"
#define SCANNED(layer) results[layer].scanned
#include "await.glsl"

shared uvec2 taken;

// Whether `scan` finds so many candidates: then `candidate` is the one in this place of its list.
bool awaitCandidate(uint layer, uint slot, out Candidate candidate) {
  if (gl_LocalInvocationIndex == 0) {
    const uint at = postOf(layer, slot);
    uvec2 words = uvec2(0);
    bool done = false;  // before the words were read
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
