# Firmware of the Pico under the bed of nails (MicroPython 1.20 or later; copy it onto the board as main.py).
#
# One command a line over USB, one answer a line:
#
#   version      -> dictobench-pico 2 SERIAL
#   press        -> ok                                the button goes down and stays down, see below
#   hold MS      -> ok                                the button goes down for so many milliseconds
#   release      -> ok                                the button comes up
#   sense        -> button=0|1 latch=0|1 supply=MV    what the nails feel
#   latch 0|1    -> ok                                the power latch is forced off or on
#   reset        -> ok                                the reset line is pulled for 100 ms
#   an empty line has no answer
#   other        -> error REASON
#
# A button that was pressed by `press` comes up when nothing, not even an empty line, was said for 120 s: a program that
# died must not leave the recorder recording.
#
# Pins of the fixture v1.4 (pcb/test_fixture/v1.4 of the firmware's repository).

import select
import sys
import time

import machine
import ubinascii

NAME = "dictobench-pico 2"
LONGEST_HOLD = 7_200_000
LONGEST_LINE = 64
PATIENCE = 120_000

reset_line = machine.Pin(2, machine.Pin.OPEN_DRAIN, value=1)
button_sense = machine.Pin(5, machine.Pin.IN)
button_drive = machine.Pin(6, machine.Pin.OUT, value=0)
shifter_enable = machine.Pin(13, machine.Pin.OUT, value=1)
latch_clock = machine.Pin(20, machine.Pin.IN)
latch_data = machine.Pin(21, machine.Pin.IN)
latch_state = machine.Pin(22, machine.Pin.IN)
supply_sense = machine.ADC(28)

hold_end = None  # ticks at which the button comes up by itself
is_watched = False  # whether it comes up without a word


def set_button(down):
    global hold_end, is_watched
    hold_end = None
    is_watched = False
    button_drive.value(1 if down else 0)
    time.sleep_ms(2)  # the divider and the shifter follow the gate


def hold(milliseconds):
    global hold_end
    set_button(True)
    hold_end = time.ticks_add(time.ticks_ms(), milliseconds)


def press():
    global is_watched
    set_button(True)
    is_watched = True


def set_latch(on):
    # The recorder drives the same two nets, so they are driven only for as long as one clock edge takes.
    latch_data.init(machine.Pin.OUT, value=1 if on else 0)
    latch_clock.init(machine.Pin.OUT, value=0)
    time.sleep_us(10)
    latch_clock.value(1)
    time.sleep_us(10)
    latch_clock.value(0)
    latch_clock.init(machine.Pin.IN)
    latch_data.init(machine.Pin.IN)


def pull_reset():
    reset_line.value(0)
    time.sleep_ms(100)
    reset_line.value(1)


def supply_millivolts():
    # The converter's reference is 3.3 V; the fixture senses the 3.3 V rail through a divider of two equal resistors.
    return supply_sense.read_u16() * 3300 * 2 // 65535


def perform(line):
    words = line.split()
    name, rest = (words[0], words[1:]) if words else ("", [])
    if name == "version" and not rest:
        return NAME + " " + ubinascii.hexlify(machine.unique_id()).decode().upper()
    if name == "press" and not rest:
        press()
        return "ok"
    if name == "release" and not rest:
        set_button(False)
        return "ok"
    if name == "hold" and len(rest) == 1 and rest[0].isdigit() and 1 <= int(rest[0]) <= LONGEST_HOLD:
        hold(int(rest[0]))
        return "ok"
    if name == "sense" and not rest:
        return "button={} latch={} supply={}".format(button_sense.value(), latch_state.value(), supply_millivolts())
    if name == "latch" and rest in (["0"], ["1"]):
        set_latch(rest == ["1"])
        return "ok"
    if name == "reset" and not rest:
        pull_reset()
        return "ok"
    return "error unknown command"


def main():
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    line = ""
    last_word = time.ticks_ms()
    while True:
        if is_watched and time.ticks_diff(time.ticks_ms(), last_word) >= PATIENCE:
            set_button(False)
        if hold_end is not None and time.ticks_diff(hold_end, time.ticks_ms()) <= 0:
            set_button(False)
        if not poller.poll(1):
            continue
        character = sys.stdin.read(1)
        last_word = time.ticks_ms()
        if character in "\r\n":
            if line:
                print(perform(line))
            line = ""
        elif len(line) < LONGEST_LINE:
            line += character


main()
