// Decides by a variable that nobody has written.
#include <stdint.h>
__attribute__((section(".unwritten"))) volatile uint32_t forgotten;
volatile uint32_t decided;
int main(void) {
  if (forgotten != 0) decided = 1;
  return 0;
}
