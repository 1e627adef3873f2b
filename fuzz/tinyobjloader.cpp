// The system's library, instrumented like what is ours.
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>
