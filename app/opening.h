// The scene that is open, and those that are to be: opens them on the loading thread, and keeps how
// they were left.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/compute.h"
#include "app/file_watch.h"
#include "app/model.h"
#include "app/scene_loader.h"
#include "app/viewing.h"
#include "gpu/runtime/device.h"
#include "scenes/description.h"

namespace warpview {

// The model and the viewing must outlive it, and so must a device and its compute while something
// is made on them. Waits only where wait() is called.
class Opening {
 public:
  enum class Purpose {
    another,  // scene, or the same one as it is remembered
    same,     // scene, as the user has set it
    anew      // the same scene as it begins, with nothing of what was set in it
  };
  // Where scenes are made.
  struct On {
    Device& device;
    Compute& compute;
  };

  // `news` is called on another thread when a file that is watched has changed.
  Opening(Model& model, const Viewing& viewing, std::function<void()> news)
      : model_(model), viewing_(viewing), watch_([news = std::move(news)] {
          if (news) news();
        }) {}

  // What is open; null: nothing.
  const std::shared_ptr<const OpenedScene>& scene() const { return opened_; }
  std::uint64_t number() const { return opened_ ? opened_->number : 0; }
  // Number of the first scene whose picture is one of what is open, in whatever size.
  std::uint64_t oldest_picture() const { return oldest_picture_; }
  std::chrono::steady_clock::time_point opened_at() const { return opened_at_; }

  bool is_busy() const { return loader_ != nullptr; }
  bool is_remaking() const { return loader_ && purpose_ == Purpose::same; }
  bool has_next() const { return next_.has_value(); }
  void cancel();
  // For the end: cancels what is loading, and waits for that.
  void close() { loader_.reset(); }
  void wait() const;
  std::exception_ptr failure() const { return loader_->failure(); }

  // --- asks for a scene; what is loading makes way for it

  void open(SceneDescription description, On on);
  // As it is described, with nothing of what is set in the scene that is open.
  void open_as_described(SceneDescription description, On on);
  // What is open, from its files as they are now.
  void read_again(On on);
  // What is open, in the size that the model's controls have.
  void remake(On on);
  // What is open, as it was asked for. Until it is there nothing is forgotten.
  void reset(On on);
  // What is open, as the user has set it.
  SceneLoader::Request same_scene() const;
  void make_again(SceneLoader::Request request, On on);
  // What is open, on another device, with the user's variants that are there. `before_install` as
  // SceneLoader has it.
  void make_elsewhere(On other, std::function<void()> before_install);
  // Where the user wants that, reads files again as soon as one of them was written.
  void watch_files(bool may_read, On on);

  // --- what becomes of it

  // Tells the model how far the load is. When it has ended, and said what went wrong: the loader.
  std::unique_ptr<SceneLoader> take_ended();
  // Begins what waited for that end.
  void go_on(On on);
  // Sizes that could not be had are no longer wished.
  void take_sizes_back();

  // What publish() has changed.
  struct Change {
    bool is_new = false;
    bool is_remade = false;       // the scene that was open, in another size or from its files
    bool is_another = false;      // or the same one from its beginning
    bool begins_at_home = false;  // the camera does
    bool has_new_warnings = false;
    std::vector<StageRow> stages_before{};
  };
  // The model becomes that of another scene; null: of none.
  Change publish(std::shared_ptr<const OpenedScene> scene, bool is_new);
  // The user's choices of variants, made while a scene was loading, for the stages it has, too.
  void choose_again(const std::vector<StageRow>& before);
  // Says what was mended or left out of the files of what is open; after another reading without
  // warnings, that there are none.
  void tell_warnings();

  // --- how scenes are left

  // The scene that is open has begun, and is only remembered for what is set from now on.
  void note_begun() { begun_ = memory_now(); }
  void remember();
  void forget_scenes();
  // Forgets how this scene file was left. If it is open, it remembers what is set from now on.
  void forget_file(const std::string& file);
  // The user chose a variant, for the scenes to come.
  void add_habit(const std::string& stage, const std::string& variant) {
    habits_.add(stage, variant);
  }

 private:
  struct Next {
    SceneLoader::Request request;
    Purpose purpose = Purpose::another;
  };

  void start(SceneLoader::Request request, Purpose purpose, On on);
  std::shared_ptr<const OpenedScene> as_it_is() const;
  void carry_variants();
  void carry_controls(SceneDescription& description) const;
  bool needs_files() const;
  VariantWishes choices_for(const Device& device) const;
  bool open_anew(const SceneLoader& failed);
  void publish_kept();
  void publish_nothing();
  void publish_names();
  SceneMemory memory_now() const;
  const SceneMemory* memory_for(const SceneDescription& description) const;
  void forget(const std::string& key);
  VariantWishes habits_of_other_scenes() const;

  Model& model_;
  const Viewing& viewing_;
  std::shared_ptr<const OpenedScene> opened_;
  std::chrono::steady_clock::time_point opened_at_;
  std::uint64_t oldest_picture_ = 0;
  SceneMemory begun_;     // what is open, as it began
  VariantWishes habits_;  // variants that the user chose, for the scenes to come
  FileWatch watch_;
  std::uint64_t watched_ = 0;  // number of the scene whose files they are; 0: none
  std::unique_ptr<SceneLoader> loader_;
  Purpose purpose_ = Purpose::another;  // of what is loading
  // What follows as soon as the loader, which was cancelled for it, has ended.
  std::optional<Next> next_;
};

}  // namespace warpview
