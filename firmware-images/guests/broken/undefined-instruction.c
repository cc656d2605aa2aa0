// Executes what is no instruction.
int main(void) {
  __asm__ volatile("udf #7");
  return 0;
}
