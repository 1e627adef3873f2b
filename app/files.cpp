#include "app/files.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>

#include "app/common/editor.h"
#include "app/common/trouble.h"
#include "app/render/screenshot.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {

void Files::write(request::WriteFile file, std::optional<SessionEvent> done) {
  if (!writer_runs_) writer_.start([] { return false; });
  writer_runs_ = true;
  writer_.post([events = events_, file = std::move(file), done = std::move(done)] {
    try {
      if (file.picture)
        write_png(file.file, *file.picture);
      else
        write_whole_file(file.file, file.bytes);
      if (done) events->post(*done);
      events->post(Message{Message::Kind::info, "Saved " + file.file});
    } catch (const std::exception& error) {
      events->post(Message{Message::Kind::error, in_words(error)});
    }
  });
}

void Files::edit(const request::EditFile& file) {
  try {
    editors_.emplace_back(editor_command(file.command, file.file, file.line));
    edited_ = std::chrono::steady_clock::now();
  } catch (const std::exception& error) {
    events_->post(Message{Message::Kind::error, in_words(error)});
  }
}

bool Files::awaits_editor() const {
  constexpr std::chrono::seconds soon(5);
  return !editors_.empty() && std::chrono::steady_clock::now() - edited_ < soon;
}

void Files::update() {
  std::erase_if(editors_, [this](const LaunchedProcess& editor) {
    const std::optional<int> code = editor.ended();
    if (code && *code != 0)
      events_->post(Message{Message::Kind::error,
                            fmt::format("{} ended with {}: the file may not have been opened.",
                                        editor.name(), *code)});
    return code.has_value();
  });
}

}  // namespace warpview
