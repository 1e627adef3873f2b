// The teapot, as the patches that it was designed with.
#pragma once

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

// 32 bicubic patches, and 4 032 triangles that follow them. y is up, the bottom at 0; all normals
// point outwards.
//
//   M. Newell, "The Utilization of Procedure Models in Digital Image Synthesis", University of
//   Utah, 1975; the numbers, of the teapot that is three quarters as high as his, are the widely
//   published ones.
Mesh make_teapot();
Mesh make_teapot(LoadControl& control);

}  // namespace warpview
