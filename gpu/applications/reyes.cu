// Runs Reyes on a scheduler, and resolves its samples to a picture: gpu/applications/reyes.h.
#include "gpu/applications/reyes.h"

#include "gpu/applications/reyes_procedures.h"
#include "gpu/primitives/schedule/schedulers.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

__global__ void reyes_picture_kernel(ReyesPictureArgs args) {
  const std::uint32_t i = global_thread();
  if (i == 0 && args.command) *args.command = {3, 1, 0, 0, 0};
  if (i >= args.width * args.height) return;
  args.out[i] =
      reyes_pixel(args.samples, args.side, args.width * args.side, i % args.width, i / args.width);
}

}  // namespace

void draw_reyes(Stream& stream, const ReyesArgs& args, Scratch& scratch) {
  const reyes::Application application{args.patches, args.colours, args.view, args.samples,
                                       args.micropolygons};
  if (!scratch.measuring()) {
    stream.fill(args.samples, 0xff, args.sample_count * sizeof *args.samples);
    stream.fill(args.micropolygons, 0, sizeof *args.micropolygons);
  }
  const schedule::Run run{stream, application, args.n, args.settings, scratch, args.host};
  schedule::run_by(args.scheduler, run);
}

void reyes_picture(Stream& stream, const ReyesPictureArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(reyes_picture_kernel), one_thread_each(args.width * args.height), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
