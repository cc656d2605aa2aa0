// Waits for ever for what never comes.
volatile int came;
int main(void) {
  while (!came) {}
  return 0;
}
