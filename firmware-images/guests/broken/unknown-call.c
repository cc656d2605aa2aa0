// Makes a supervisor call that no SoftDevice has.
#include "../softdevice.h"
int main(void) { return (int)SUPERVISOR_CALL(0xFE, 0, 0, 0, 0); }
