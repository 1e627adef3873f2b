// Opens scenes on a thread of its own: files, then the device's work, then the change of scenes.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/choices.h"
#include "app/common/scene_memory.h"
#include "app/compute.h"
#include "app/file_watch.h"
#include "app/model.h"
#include "scenes/description.h"
#include "scenes/files/input_error.h"
#include "scenes/scene.h"

namespace warpview {

// What the user's side knows of a scene that was opened; enough to make it again, too.
struct OpenedScene {
  std::uint64_t number = 0;  // as Compute counts
  const SceneKind* kind = nullptr;
  SceneDescription description;
  std::shared_ptr<const Mesh> mesh;
  std::vector<ReadFile> files{};      // that it was made from; those that were not there, too
  Choices choices;                    // that it was made with
  std::optional<Controls> of_file{};  // as its scene file has them; none: there is no such file
  std::vector<Output> outputs;
  Aabb bounds = Aabb::empty();
  Outline outline;
  std::optional<Viewpoint> first_view{};  // Scene::first_view()
  std::vector<StageRow> stages;           // that have not run yet
  std::uint64_t memory = 0;               // of the device, estimated
  VariantWishes said{};                   // variants that the command line or the scene file names
  std::vector<PhaseTime> phases{};        // of opening it, in order
  std::optional<SceneMemory::View> view{};  // from where the user looked at it, as it was left
};

class SceneLoader {
 public:
  enum class State { loading, done, failed, cancelled };

  // What to open, and how.
  struct Request {
    SceneDescription description;
    // Where the description has no such wish; those that no stage answers to are ignored.
    VariantWishes habits{};
    std::optional<std::vector<std::string>> shown{};  // outputs by name, where it does not say
    std::shared_ptr<const Mesh> mesh{};               // given: no file is read
    std::vector<ReadFile> files{};                    // of that mesh
    std::optional<Controls> controls{};               // given: the description's are not read
    std::optional<Controls> of_file{};    // as OpenedScene has it, of a scene that is made again
    std::optional<SceneMemory> memory{};  // how the scene was left, if it is to be so again
    // What the command line or the scene file said, of a scene that is made again; else the
    // description's.
    std::optional<VariantWishes> said{};
    LoadLimits limits{};  // of reading the files, if they are read
    // Called on the loading thread when all is made, right before it takes the place of what was
    // open. What it throws is a failure of the load.
    std::function<void()> before_install{};
    std::function<bool()> stop{};  // asked beside cancel(), by the loading threads
  };

  // `open` is what is open now: it makes way where the device has no room for both, and is made
  // again if the new one fails. Compute and the device must outlive this.
  SceneLoader(Request request, std::shared_ptr<const OpenedScene> open, Device& device,
              Compute& compute);
  ~SceneLoader();  // cancels and waits; what made way is then not made again
  SceneLoader(const SceneLoader&) = delete;
  SceneLoader& operator=(const SceneLoader&) = delete;

  const std::string& spec() const { return spec_; }
  // When the state is no longer `loading`: was the scene to be as it was left?
  const std::optional<SceneMemory>& memory() const { return request_.memory; }
  // What was asked for, without that.
  const SceneDescription& asked() const { return request_.description.as_asked(); }
  float progress() const { return control_.progress(); }
  std::string phase() const { return control_.phase(); }
  void cancel() { control_.cancel(); }
  State state() const { return state_.load(std::memory_order_acquire); }
  void wait() const { state_.wait(State::loading, std::memory_order_acquire); }

  // What is open now, when the state is no longer `loading`. After a failure it is the old scene,
  // which may have been made again; null: nothing is open, or it could not be made again.
  std::shared_ptr<const OpenedScene> opened() const { return opened_; }
  // Why it failed; null where it did not. An InputError, a ChoiceError, or an Error of the device.
  std::exception_ptr failure() const { return failure_; }

 private:
  void load();
  void open();
  std::shared_ptr<OpenedScene> make(const Request& request, LoadControl& control);

  Request request_;
  const std::string spec_;
  Device& device_;
  Compute& compute_;
  LoadControl control_;
  LoadControl making_again_;
  std::atomic<State> state_{State::loading};
  // Written by the loading thread before the state changes, read by others after.
  std::shared_ptr<const OpenedScene> opened_;
  std::exception_ptr failure_;
  std::jthread thread_;  // last, so that all else exists while it runs
};

}  // namespace warpview
