// Erases the first page of the chip's flash, and writes beyond its last.
#include "enable.h"
int main(void) {
  enable();
  static const uint32_t word = 0;
  sd_flash_page_erase(0);
  sd_flash_write(0x100000, &word, 1);
  return 0;
}
