// A scene's materials as the renderer takes them.
#pragma once

#include <span>
#include <vector>

#include "app/render/look.h"
#include "scenes/files/mesh.h"
#include "scenes/output.h"

namespace warpview {

// OBJ's materials name a diffuse colour, a highlight's colour and its exponent; the renderer wants
// a base colour, a roughness and how metallic the surface is. The exponent gives the roughness
// whose highlight is as wide; a strong highlight of its own colour is a metal's. The format does
// not say how its colours are encoded: they are taken for sRGB, which is what people pick.
Surface surface_of(const Material& material);
// Without textures where the scene hands over no image: its kernels sample them.
std::vector<Surface> surfaces_of(const SceneMaterials& made_of);

}  // namespace warpview
