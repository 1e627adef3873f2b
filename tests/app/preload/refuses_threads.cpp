// Preloaded into a program: it gets WARPVIEW_TEST_THREADS threads, and no more.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

// NOLINTNEXTLINE(readability-identifier-naming): the system's name
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*routine)(void*), void* argument) {
  static const char* const allowed = std::getenv("WARPVIEW_TEST_THREADS");
  static std::atomic<int> left = allowed != nullptr ? std::atoi(allowed) : 0;
  if (left-- <= 0) return EAGAIN;
  static const auto system =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return system(thread, attributes, routine, argument);
}
