// Kernels that run at the same time as `scan` wait for what it does: `refine` takes each candidate as soon as it
// is found. That needs workgroups that start in the order of their dispatches (Device::startsInOrder()). None
// waits for ever: whoever gives up says so, and the frame is measured once more, one pass after the other.
//
// Include after declaring `late`, and SCANNED as LayerResult::scanned of a layer, which is volatile.

const uint kMostTurns = 1u << 15;  // about 30 ms

shared bool waitedEnough;

// Whether all of a layer's workgroups of `scan` are done. All invocations of the workgroup ask together.
bool awaitScan(uint layer, uint scanners) {
  if (gl_LocalInvocationIndex == 0) {
    uint turn = 0;
    while (turn < kMostTurns && SCANNED(layer) < scanners) ++turn;
    waitedEnough = turn < kMostTurns;
    if (!waitedEnough) late[0] = 1;
  }
  memoryBarrierBuffer();
  barrier();
  return waitedEnough;
}
