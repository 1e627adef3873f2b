// Does what the workspace asks for: opens scenes, runs the pipeline, draws.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "app/options.h"
#include "app/render/framebuffer.h"
#include "app/workspace.h"
#include "gpu/pipeline/mesh_pipeline.h"
#include "gpu/runtime/device.h"

namespace warpview {

// Owns the device, what is open on it, and the renderer. The OpenGL context of the constructor must
// be current at every call and at destruction. A frame goes
//
//     ...the user and the panels edit the workspace...
//     session.update(seconds);    // requests, kernels, results
//     session.draw(framebuffer);
//     while there is time before the next frame: session.idle();
class Session {
 public:
  // UnavailableError when `options` force an interop that is impossible here. `workspace` must
  // outlive the session.
  Session(WorkspaceModel& workspace, const Options& options, std::unique_ptr<Device> device);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Opens a scene now, waiting for it. Error when that fails: what was open stays. To open without
  // waiting, set WorkspaceModel::requests.open.
  void open(const std::string& spec);

  // Acts on the workspace's choices and requests, runs the kernels of one frame that lies `seconds`
  // after the last, and refreshes the results. Never throws for what the user can mend: there is a
  // message, animation stops, and what was open stays.
  void update(double seconds);

  // Waits for the device and takes in the results of the last frame, which an update otherwise does
  // a frame later.
  void settle();

  // Draws what is open (the background alone if nothing is) and resolves it. Takes the requests for
  // a screenshot and for fitting the camera.
  void draw(const Framebuffer& target);

  // One short step of what can wait: measuring the device's copies, trying the other backends.
  // False when nothing is left to do; else the results of the workspace may change with the next
  // update.
  bool idle();
  // The whole of that measurement, now: less than about a second.
  void measure_copies();

  // Will the next update change the picture or the results, without the user or idle() doing
  // anything? If not, a window may sleep.
  bool wants_frames() const;

  // Runs all stages of what is open again, from the upload on. Error as from the pipeline.
  void reload();
  // The pipeline of what is open; null before the first scene.
  MeshPipeline* pipeline() const;
  // What the pipeline was given: three corners a triangle and a material each.
  std::span<const Vertex> corners() const;
  std::span<const std::uint32_t> triangle_material() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpview
