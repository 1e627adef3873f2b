/* Prints the GPUs that the drivers of this machine list, one a line: "cuda 90" of compute capability
 * 9.0, "hip". Prints nothing where no driver is, or it lists no device. cmake/gpus.cmake compiles and
 * runs it at each configuration: it links neither driver, and needs no header of theirs. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

typedef int (*Function)();

static Function function_of(void* library, const char* name) {
  void* address = library ? dlsym(library, name) : NULL;
  return *(Function*)&address;
}

static void list_cuda(void) {
  enum { major_attribute = 75, minor_attribute = 76 };
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  Function init = function_of(driver, "cuInit");
  Function count_devices = function_of(driver, "cuDeviceGetCount");
  Function device_at = function_of(driver, "cuDeviceGet");
  Function attribute = function_of(driver, "cuDeviceGetAttribute");
  int count = 0;
  if (!init || !count_devices || !device_at || !attribute) return;
  if (init(0U) != 0 || count_devices(&count) != 0) return;
  for (int i = 0; i < count; ++i) {
    int device = 0, major = 0, minor = 0;
    if (device_at(&device, i) == 0 && attribute(&major, major_attribute, device) == 0 &&
        attribute(&minor, minor_attribute, device) == 0)
      printf("cuda %d%d\n", major, minor);
  }
}

static void list_hip(void) {
  /* The last is what Debian 12 has; without a version the library is a link of a -dev package. */
  const char* const names[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                               "libamdhip64.so.5"};
  void* driver = NULL;
  for (size_t i = 0; !driver && i < sizeof names / sizeof *names; ++i)
    driver = dlopen(names[i], RTLD_NOW);
  Function count_devices = function_of(driver, "hipGetDeviceCount");
  int count = 0;
  if (!count_devices || count_devices(&count) != 0) return;
  for (int i = 0; i < count; ++i) printf("hip\n");
}

int main(void) {
  list_cuda();
  fflush(stdout); /* HIP may end the process */
  list_hip();
  return 0;
}
