// Runs in circles, and counts while it does: no turn is like another.
#include <stdint.h>
volatile uint32_t turns, came;
int main(void) {
  while (!came) turns++;
  return 0;
}
