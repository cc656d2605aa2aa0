@ Runs one case: loads all registers, jumps to the snippet, and stores all registers when it comes back.
@ Stores relative to PC exist in ARM state only, which is why everything here but the snippet is in ARM state.
  .syntax unified
  .arch armv7-a
  .fpu vfpv4-d16
  .arm
  .text
  .balign 4096
  .space 3200
  .global run_case
  .type run_case, %function
run_case:                       @ r0 = context: r0-r14, apsr, fpscr, s0-s31, target
  push {r4-r11, lr}
  str sp, saved_sp
  str r0, saved_context
  ldr r1, [r0, #196]
  str r1, slot
  ldr r1, [r0, #64]
  vmsr fpscr, r1
  add r1, r0, #68
  vldmia r1, {s0-s31}
  ldr r1, [r0, #60]
  msr apsr_nzcvqg, r1
  mov r14, r0
  ldr r13, [r14, #52]
  ldmia r14, {r0-r12}
  ldr r14, [r14, #56]
  ldr pc, slot
  .global come_back
come_back:
  str r0, saved_r0
  str r1, saved_r1
  ldr r0, saved_context
  add r1, r0, #8
  str r2, [r0, #8]
  str r3, [r0, #12]
  str r4, [r0, #16]
  str r5, [r0, #20]
  str r6, [r0, #24]
  str r7, [r0, #28]
  str r8, [r0, #32]
  str r9, [r0, #36]
  str r10, [r0, #40]
  str r11, [r0, #44]
  str r12, [r0, #48]
  str r13, [r0, #52]
  str r14, [r0, #56]
  ldr r1, saved_r0
  str r1, [r0, #0]
  ldr r1, saved_r1
  str r1, [r0, #4]
  mrs r1, apsr
  str r1, [r0, #60]
  vmrs r1, fpscr
  str r1, [r0, #64]
  add r1, r0, #68
  vstmia r1, {s0-s31}
  ldr sp, saved_sp
  pop {r4-r11, pc}
  .balign 4096
slot: .word 0
saved_sp: .word 0
saved_context: .word 0
saved_r0: .word 0
saved_r1: .word 0
  .balign 4096
  .global _start
_start:
  b start
