#version 450
// Draws a rectangle that covers the viewport, which is the visible part of the image.
void main() {
  const vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
