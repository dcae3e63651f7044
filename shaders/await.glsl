// The wait of kernels that run at the same time as `scan`, so that `refine` can measure each candidate as soon as
// `scan` has found it. This works only on devices that start workgroups in the order of their dispatches
// (Device::startsInOrder()). No workgroup waits forever. One that gives up sets late[0], and the host then measures
// the frame again with one pass after the other.
//
// Include this file after declaring the buffer `late` and defining SCANNED(layer), which reads the volatile
// LayerResult::scanned of a layer.

const uint kMostTurns = 1u << 15;  // turns of the waiting loop, about 30 ms

shared bool waitedEnough;  // true if the wait ended because `scan` was done

// Waits until all `scanners` workgroups of `scan` have finished the layer. Returns false if the wait took too long.
// All invocations of the workgroup must call this together.
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
