// Stops at a breakpoint, as firmware does after an assertion.
int main(void) {
  __asm__ volatile("bkpt #3");
  return 0;
}
