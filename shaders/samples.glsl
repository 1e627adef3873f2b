// Which samples of a pixel a body has that covers a share of it. GL's own way from alpha to samples
// differs from driver to driver, and some keep the alpha.
void cover_samples(float share) {
  int covered = int(share * float(gl_NumSamples) + 0.5);
  gl_SampleMask[0] = (1 << covered) - 1;
}
