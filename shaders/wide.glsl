// Exact 64-bit sums without 64-bit integers, which not every device has.

struct Wide {
  uint low, high;
};

Wide add(Wide a, Wide b) {
  uint carry;
  const uint low = uaddCarry(a.low, b.low, carry);
  return Wide(low, a.high + b.high + carry);
}

Wide addSquare(Wide sum, uint value) {
  // value <= 65535, so its square fits one word.
  return add(sum, Wide(value * value, 0));
}

// Sum over the subgroup. Halves of words cannot overflow: a subgroup has at most 128 invocations.
Wide subgroupSum(Wide v) {
  const uint low0 = subgroupAdd(v.low & 0xffffu);
  const uint low1 = subgroupAdd(v.low >> 16);
  const uint high = subgroupAdd(v.high);
  return add(Wide(low0, high), add(Wide(low1 << 16, low1 >> 16), Wide(0, 0)));
}
