// Files that are written for the user, and those that are open in the user's editor.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "app/common/process.h"
#include "app/common/worker.h"
#include "app/events.h"
#include "app/requests.h"

namespace warpview {

// Never waits. What becomes of a file is a message among the events.
class Files {
 public:
  explicit Files(std::shared_ptr<SessionEvents> events) : events_(std::move(events)) {}

  // Writes it on a thread of its own, which is started for the first one: Error where the system
  // refuses that.
  // Posts `done` before the message if the file was written.
  void write(request::WriteFile file, std::optional<SessionEvent> done = {});

  void edit(const request::EditFile& file);
  // Was an editor started just now? If it fails, it does so soon.
  bool awaits_editor() const;
  // Looks at the editors: one that ends at once may have found nothing to open the file with.
  void update();

 private:
  const std::shared_ptr<SessionEvents> events_;
  Worker writer_;
  bool writer_runs_ = false;
  std::vector<LaunchedProcess> editors_;  // that have not ended yet
  std::chrono::steady_clock::time_point edited_;
};

}  // namespace warpview
