// Calls an even address: the processor has no ARM state.
int main(void) {
  ((void (*)(void))0x27100)();
  return 0;
}
