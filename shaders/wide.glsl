// Exact 64-bit sums without 64-bit integers, which not every device has.

struct Wide {
  uint low, high;
};

Wide add(Wide a, Wide b) {
  const uint low = a.low + b.low;
  return Wide(low, a.high + b.high + (low < a.low ? 1u : 0u));
}

// low + high * 2^16
Wide fromHalves(uint low, uint high) { return add(Wide(low, 0), Wide(high << 16, high >> 16)); }
