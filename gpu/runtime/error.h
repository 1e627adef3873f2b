// The only exception of gpu/ and scenes/. Libraries report, the application decides.
#pragma once

#include <stdexcept>
#include <string>

namespace warpview {

// `what()` has one sentence each for what was asked, what is there, and the remedy, which may be
// empty.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  Error(const std::string& asked, const std::string& found, const std::string& remedy)
      : std::runtime_error(asked + ": " + found + (remedy.empty() ? "" : ". " + remedy)) {}
};

// A name that was chosen does not exist (exit code 2 of the program).
class ChoiceError : public Error {
 public:
  using Error::Error;
};

// The requested backend, device or OpenGL is not on this machine (exit code 4 of the program).
class UnavailableError : public Error {
 public:
  using Error::Error;
};

}  // namespace warpview
