// Exact arithmetic with unsigned 64-bit numbers, made of two 32-bit words because not every device has 64-bit
// integers.

struct Wide {
  uint low, high;
};

Wide add(Wide a, Wide b) {
  const uint low = a.low + b.low;
  return Wide(low, a.high + b.high + (low < a.low ? 1u : 0u));
}

// Returns low + high * 2^16.
Wide fromHalves(uint low, uint high) { return add(Wide(low, 0), Wide(high << 16, high >> 16)); }

Wide times(uint a, uint b) {
  Wide r;
  umulExtended(a, b, r.high, r.low);
  return r;
}

// Returns a * b modulo 2^64.
Wide times(Wide a, uint b) {
  const Wide r = times(a.low, b);
  return Wide(r.low, r.high + a.high * b);
}
Wide subtract(Wide a, Wide b) {
  return Wide(a.low - b.low, a.high - b.high - (a.low < b.low ? 1u : 0u));
}
bool less(Wide a, Wide b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }

// Returns a / b, rounded down. The quotient must be below 2^16, and b below 2^48.
uint quotient(Wide a, Wide b) {
  uint q = 0;
  for (uint bit = 0x8000u; bit != 0; bit >>= 1) {
    if (!less(a, times(b, q | bit))) q |= bit;
  }
  return q;
}

// Converts a number in two's complement to the nearest float or to a neighbour of it, the same on every device.
float toFloat(Wide a) {
  const bool negative = (a.high >> 31) != 0;
  if (negative) a = subtract(Wide(0, 0), a);
  precise float r = float(a.high) * 4294967296.0 + float(a.low);
  return negative ? -r : r;
}
