#pragma once
/* What the C library declares stays its own; else it would be seen by those files only that import this module. */
#pragma clang module import SwiftGlibc
#include <libusb.h>
