// Draws a mesh and what was computed of it, straight from GL buffers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/render/camera.h"
#include "app/render/framebuffer.h"
#include "app/render/screenshot.h"
#include "gpu/interop/gl_handle.h"
#include "gpu/runtime/vec.h"

namespace warpview {

// GL buffers in the layouts that the pipeline's writers give them (gpu/pipeline/mesh_kernels.h).
// 0: there is none, and what needs it is not drawn.
struct DrawBuffers {
  GLuint vertices = 0;           // Vertex
  GLuint indices = 0;            // u32, three a triangle
  GLuint triangle_material = 0;  // u32 a triangle; without it every triangle has material 0
  GLuint boxes = 0;              // Aabb
  GLuint curve = 0;              // Vec3, in Morton order
  GLuint commands = 0;           // DrawCommands; nothing but the background is drawn without it
};

struct DrawOptions {
  bool mesh = true;   // lit
  bool wire = false;  // edges of the triangles; without `mesh` over a dark body that hides the rest
  bool boxes = false;        // over a dimmed mesh
  bool curve = false;        // over a dimmed mesh, coloured from its start (blue) to its end (red)
  bool points = false;       // unique vertices, over a dimmed mesh
  int level = 0;             // of the boxes, for their colour
  bool shadows = true;       // of the key light; draws the mesh a second time
  float pixel_scale = 1.0F;  // pixels in a unit of the display's: widths grow with it

  bool operator==(const DrawOptions&) const = default;
};

// What a triangle is made of. Colours are linear. Laid out as GLSL's std430 asks.
struct alignas(16) Surface {
  Vec3 base_colour{0.70F, 0.69F, 0.67F};
  float roughness = 0.45F;
  Vec3 emission{0.0F, 0.0F, 0.0F};
  float metallic = 0.0F;
  std::int32_t texture = -1;  // which of the images multiplies base_colour; -1: none
};
static_assert(sizeof(Surface) == 48);

// The picture depends on its arguments alone and hardly on the driver: lines and points are drawn
// as quads with their own coverage, mipmaps are made on the host, and nothing varies with time.
// What kernels append in no fixed order (boxes) is blended in one colour, so order does not show.
class Renderer {
 public:
  // Needs an OpenGL 4.5 context, current here and at every later call.
  Renderer();

  // `images` are resized to the largest width and height among them, at most 2048 a side. Texture
  // coordinate (0, 0) is the lower left of an image. An empty `materials` means one default
  // material. Error when a material names an image that is not there.
  void set_materials(std::span<const Surface> materials, std::span<const Picture> images);

  // Draws the whole picture into `target` and resolves it. Sets every piece of GL state that it
  // relies on; leaves no program, vertex array or blending behind.
  void draw(const Framebuffer& target, const Camera& camera, const DrawBuffers& buffers,
            const DrawOptions& options);

 private:
  void draw_shadow_map(bool with_shadows);
  void draw_background();
  void draw_surface(GLuint triangle_material, const DrawOptions& options);
  void draw_boxes(const DrawBuffers& buffers, const DrawOptions& options);
  void draw_curve(const DrawBuffers& buffers);
  void draw_points(const DrawBuffers& buffers);

  GlProgram shadow_;
  GlProgram background_;
  GlProgram mesh_;
  GlProgram mesh_with_wire_;
  GlProgram boxes_;
  GlProgram curve_;
  GlProgram points_;
  GlVertexArray no_attributes_;
  GlVertexArray vertex_layout_;
  GlVertexArray box_layout_;
  GlVertexArray curve_layout_;
  GlBuffer frame_;
  GlBuffer materials_;
  GlBuffer material_zero_;  // stands in for DrawBuffers::triangle_material
  GLuint material_count_ = 0;
  GlTexture textures_;
  GlTexture shadow_map_;
  GlFramebuffer shadow_target_;
};

}  // namespace warpview
