// Noise of -0.5 to 0.5 by integer hashing, the same on every machine. It hides the bands that a
// slow gradient has in 8 bits.
float dither(uvec2 pixel) {
  uint h = pixel.x * 0x9E3779B1u ^ pixel.y * 0x85EBCA77u;
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  h = (h ^ h >> 12) * 0x297A2D39u;
  h ^= h >> 15;
  return float(h >> 8) / 16777216.0 - 0.5;
}
