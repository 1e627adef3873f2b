// The data flow of a block that combines values level by level: the operands of each value.
//
// Found in the recording alone. Values are words of a shared array, or registers that the lanes of
// a warp exchange by shuffles. A row has the values after a level: after the writes between two
// barriers, or after a shuffle. A written word has arrows from the words that its lane has read
// since its previous write; a register has arrows from the lane's own and from the source lane's.
//
// The pictures are those of the lectures: D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming
// Primitives for Computer Graphics" (SIGGRAPH Asia 2023 course); M. Hadwiger, KAUST CS 380, lecture
// 19: parallel prefix sum 2.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views {

// An operand of a value.
struct NetworkArrow {
  std::uint32_t from = 0;  // its column, in the row above
  std::size_t event = 0;   // the access or answer that brought it
};

struct NetworkCell {
  std::uint64_t value = 0;
  std::uint8_t bytes = 4;
  std::size_t event = 0;     // that made it
  std::uint32_t thread = 0;  // that has the register, or wrote the word
  // The word; of a register none.
  bool is_word = false;
  std::uint32_t array = 0;
  std::uint32_t element = 0;
  std::vector<NetworkArrow> arrows{};  // by column
};

struct NetworkRow {
  enum class Kind : std::uint8_t {
    input,
    step,   // a level of the algorithm
    set,    // words get values that are made of no others
    output  // device memory
  };
  Kind kind = Kind::step;
  std::map<std::uint32_t, NetworkCell> cells{};  // those that the row makes, by column
};

struct Network {
  std::uint32_t launch = 0;
  std::uint32_t block = 0;
  // The array that held the values before, if they are not a block's input.
  std::string from{};
  bool of_lanes = false;   // columns are lanes of the first warp; else words
  bool by_ballot = false;  // rows are bits and counts of a ballot, whose mask this is
  std::uint64_t ballot = 0;
  bool by_thread = false;   // has a thread combined several items into each value of the input?
  std::uint32_t items = 0;  // columns that have an item are those below
  std::uint32_t columns = 0;
  std::vector<NetworkRow> rows{};  // by time; the first is the input

  // Of the row, or 0: the distance of all arrows to other columns.
  std::uint32_t stride(std::size_t row) const;
  // The column's cell in that row or the last one above; null before the first.
  const NetworkCell* cell(std::size_t row, std::uint32_t column) const;
};

// The networks of a recording of block_scan or reduce, by launch and block; several of one block in
// the order of their beginnings. None of other recordings.
std::vector<Network> networks_of(const Recording& recording);

}  // namespace warpview::step_views
