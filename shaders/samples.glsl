// The samples of a pixel for a body that covers a share of it. GL's own conversion from alpha to
// samples differs between drivers, and some keep the alpha.
void cover_samples(float share) {
  int covered = int(share * float(gl_NumSamples) + 0.5);
  gl_SampleMask[0] = (1 << covered) - 1;
}
