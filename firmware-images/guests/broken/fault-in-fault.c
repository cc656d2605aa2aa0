// A fault whose handler faults too.
void fault(void) { __asm__ volatile("udf #1"); }
int main(void) {
  __asm__ volatile("udf #0");
  return 0;
}
