// The parts of the recorder, a small program that does on the virtual board what a Dictofun does.
#ifndef RECORDER_H
#define RECORDER_H

#include "../chip.h"
#include "../softdevice.h"

void *memcpy(void *to, const void *from, unsigned count);
void *memset(void *to, int value, unsigned count);
int memcmp(const void *one, const void *other, unsigned count);

// Stops a program that cannot go on: its watchdog is the bench's patience, so it starts anew.
void must(uint32_t result);

// main.c: hundredths of a second since the start.
uint32_t now(void);
int is_pressed(void);
// Somebody is there: the recorder stays on.
void stay_on(void);

// table.c: the stack with its attributes, and advertising.
typedef struct {
  uint16_t control, list, more, information, data, status, general, pairing, battery;
#ifdef UPDATABLE
  uint16_t update;
#endif
} table_t;
extern table_t table;
void table_start(uint8_t battery);
void advertise(void);
void advertise_no_more(void);

// link.c: what the SoftDevice tells.
extern uint16_t link_handle;
extern uint16_t link_room;
void link_drain(void);
void link_tick(void);
void link_drop(void);
// The phone wants to be forgotten; the link stays.
void link_forget(void);
// The button was used: for a while further phones may pair.
void link_admit(void);

// bonds.c: bonds in one page of the chip's flash.
typedef struct {
  uint32_t mark;
#ifdef UPDATABLE
  // The rest of a record's head in Nordic's flash storage, so that bonds can be counted from outside.
  uint32_t file, number;
#endif
  encryption_key_t own;
  identity_t peer;
} bond_t;
const bond_t *bond_by_key(uint16_t diversifier, const uint8_t *random);
const bond_t *bond_by_address(const uint8_t *address);
const bond_t *bond_by_private_address(const uint8_t *address);
void bond_keep(const encryption_key_t *own, const identity_t *peer);
int bonds_exist(void);
void bond_forget(const uint8_t *address);
void bonds_flash_done(void);
void bonds_tick(void);

// service.c: the File Transfer Service and the battery's level.
void service_reset(void);
void service_written(uint16_t handle, const uint8_t *octets, uint16_t count);
void service_sent(void);
void service_confirmed(uint16_t handle);
void service_step(void);
void service_battery(uint8_t level);

// storage.c: records on the flash behind SPI.
typedef struct { uint32_t start, size; uint8_t identifier[8]; } record_t;
enum { STORAGE_SIZE = 4095 * 4096, DIRECTORY_SIZE = 8192, RECORD_LIMIT = 253 };
void storage_start(void);
uint32_t storage_count(void);
const record_t *storage_record(uint32_t index);
const record_t *storage_find(const uint8_t *identifier);
void storage_read(uint32_t address, uint8_t *octets, uint32_t count);
// Whether a record could be begun.
int storage_begin(const uint8_t *identifier);
// Whether there was room.
int storage_append(const uint8_t *octets, uint32_t count);
void storage_end(void);

// sound.c: the microphone, while a record is made.
void sound_start(void);
void sound_stop(void);
void sound_step(void);

// timepiece.c: the clock chip behind two wires. Six numbers: year of the century, month, day, hour, minute, second.
void timepiece_read(uint8_t *time);
void timepiece_set(const uint8_t *time);

// battery.c
uint8_t battery_level(void);

#endif
