// Reads where no memory is.
#include "../chip.h"
int main(void) { return (int)REGISTER(0x30000000); }
