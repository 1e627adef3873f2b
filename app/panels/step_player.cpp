#include "app/panels/step_player.h"

#include <algorithm>
#include <cmath>

namespace warpview {
namespace {

std::size_t last_position(PlayedRuns runs) {
  std::size_t last = 0;
  for (const PlayedRun* run : runs) last = std::max(last, run->playback.steps());
  return last;
}

// The step of the run that has got furthest: a shorter one may have ended.
std::size_t position(PlayedRuns runs) {
  std::size_t at = 0;
  for (const PlayedRun* run : runs) at = std::max(at, run->playback.at());
  return at;
}

}  // namespace

void go_to(PlayedRuns runs, std::size_t position) {
  for (PlayedRun* run : runs) run->playback.seek(position);
}

void go_on(PlayedRuns runs, bool forward) {
  const std::size_t at = position(runs);
  if (forward)
    go_to(runs, at + 1);
  else if (at > 0)
    go_to(runs, at - 1);
}

bool jump(PlayedRuns runs, Landmark landmark, bool forward) {
  const PlayedRun& lead = *runs.front();
  std::optional<std::size_t> to;
  if (landmark == Landmark::block) {
    to = lead.playback.find(landmark, forward);
  } else {
    const std::vector<std::size_t>& all = lead.all(landmark);
    const std::size_t at = lead.playback.at();
    const auto next = forward ? std::upper_bound(all.begin(), all.end(), at)
                              : std::lower_bound(all.begin(), all.end(), at);
    if (forward && next != all.end()) to = *next;
    if (!forward && next != all.begin()) to = *std::prev(next);
  }
  if (!to) return false;
  go_to(runs, *to);
  return true;
}

void StepPlayer::toggle(PlayedRuns runs) {
  playing = !playing;
  due = 0.0;
  if (playing && position(runs) == last_position(runs)) go_to(runs, 0);
}

void StepPlayer::pass(PlayedRuns runs, double seconds) {
  if (!playing) return;
  due += seconds * speed;
  const double whole = std::floor(due);
  due -= whole;
  const std::size_t last = last_position(runs);
  go_to(runs, std::min(position(runs) + static_cast<std::size_t>(whole), last));
  if (position(runs) == last) playing = false;
}

void StepPlayer::toggle_bookmark(std::size_t position) {
  const auto place = std::lower_bound(bookmarks.begin(), bookmarks.end(), position);
  if (place != bookmarks.end() && *place == position)
    bookmarks.erase(place);
  else
    bookmarks.insert(place, position);
}

void act(StepKey key, bool shift, StepPlayer& player, PlayedRuns runs) {
  if (key != StepKey::play && key != StepKey::bookmark) player.playing = false;
  const auto step = [&](bool forward) {
    if (shift)
      jump(runs, Landmark::block, forward);
    else
      go_on(runs, forward);
  };
  switch (key) {
    case StepKey::left:
      return step(false);
    case StepKey::right:
      return step(true);
    case StepKey::play:
      return player.toggle(runs);
    case StepKey::first:
      return go_to(runs, 0);
    case StepKey::last:
      return go_to(runs, last_position(runs));
    case StepKey::bookmark:
      return player.toggle_bookmark(runs.front()->playback.at());
    case StepKey::barrier:
      jump(runs, Landmark::barrier, !shift);
      return;
    case StepKey::publish:
      jump(runs, Landmark::publish, !shift);
      return;
    case StepKey::conflict:
      jump(runs, Landmark::conflict, !shift);
      return;
    case StepKey::divergence:
      jump(runs, Landmark::divergence, !shift);
      return;
    case StepKey::launch:
      jump(runs, Landmark::launch, !shift);
      return;
  }
}

}  // namespace warpview
