// Functions that only passes with blocks have. A block handles four values at once, which may begin at any value of a
// row. A value has the place e in its row, which counts the channels of all pixels one after another. `outside` is the
// value that stands for pixels outside of the image if the border is ignored.
uint outside = 0u;
ivec2 pixel_(int e, int channels, int y) { return ivec2((e + 4096 * channels) / channels - 4096, y); }
uvec4 bytes_(uint word) { return uvec4(word) >> uvec4(0u, 8u, 16u, 24u) & 0xffu; }
uvec4 halves_(uint low, uint high) { return uvec4(low & 0xffffu, low >> 16, high & 0xffffu, high >> 16); }
uvec4 shifted(uvec4 a, uvec4 b, int s) {
  return s == 0 ? a : s == 1 ? uvec4(a.yzw, b.x) : s == 2 ? uvec4(a.zw, b.xy) : s == 3 ? uvec4(a.w, b.xyz) : b;
}
uint row_(int y) {
  return layer_ * push_.height + uint(kOutside_ ? clamp(y, 0, int(push_.height) - 1) : inside_(ivec2(0, y)).y);
}
uint first_(int e, uint channels) {
  return uint(clamp(e, 0, int(push_.pitch * kPerWord * channels) - 4));
}
