// Bonds in one page of the chip's flash, one behind the other; a bond that is no longer valid has a mark of 0. The page is
// written through the SoftDevice, one step at a time, each begun when the one before is told to be done. Its first two
// words are left to what prepares pages for the published firmware, which has its bonds in the same place.
#include "recorder.h"

#ifdef UPDATABLE
// The key of a record with a bond and its length in words; 0 for the key of one that is no longer valid.
enum { WORDS = (sizeof(encryption_key_t) + sizeof(identity_t)) / 4, MARK = WORDS << 16 | 0xC007, NO_MARK = WORDS << 16, FILE = 0xC000 };
#else
enum { MARK = 0x646E6F42, NO_MARK = 0 };
#endif
enum { FREE = 0xFFFFFFFF, PAGE = 4096, HEAD = 8, PLACES = (PAGE - HEAD) / sizeof(bond_t) };

static const bond_t *const stored = (const bond_t *)(BOND_PAGE + HEAD);
static const uint32_t no_mark = NO_MARK;

// What is to be done with the page, in this order.
static int must_erase, must_write, is_busy;
static const bond_t *invalid;
static bond_t fresh;
static int must_forget;
static uint8_t forgotten[6];

static const bond_t *place(uint32_t index) { return stored + index; }

const bond_t *bond_by_key(uint16_t diversifier, const uint8_t *random) {
  if (must_write && fresh.own.diversifier == diversifier && memcmp(fresh.own.random, random, 8) == 0) return &fresh;
  for (uint32_t index = 0; !must_erase && index < PLACES; index++) {
    const bond_t *bond = place(index);
    if (bond->mark == MARK && bond->own.diversifier == diversifier && memcmp(bond->own.random, random, 8) == 0) return bond;
  }
  return 0;
}

const bond_t *bond_by_address(const uint8_t *address) {
  if (must_write && memcmp(fresh.peer.address, address, 6) == 0) return &fresh;
  for (uint32_t index = 0; !must_erase && index < PLACES; index++)
    if (place(index)->mark == MARK && memcmp(place(index)->peer.address, address, 6) == 0) return place(index);
  return 0;
}

// Whether an address was made with a phone's IRK (`ah`, Core Specification Vol 3, Part H, 2.2.2): its upper half is drawn, its
// lower half is that one's hash.
static int resolves(const bond_t *bond, const uint8_t *address) {
  cipher_block_t block;
  memset(&block, 0, sizeof block);
  for (int octet = 0; octet < 16; octet++) block.key[octet] = bond->peer.resolving_key[15 - octet];
  for (int octet = 0; octet < 3; octet++) block.clear[13 + octet] = address[5 - octet];
  if (sd_ecb_block_encrypt(&block) != SUCCESS) return 0;
  for (int octet = 0; octet < 3; octet++)
    if (block.cipher[13 + octet] != address[2 - octet]) return 0;
  return 1;
}

const bond_t *bond_by_private_address(const uint8_t *address) {
  if (must_write && resolves(&fresh, address)) return &fresh;
  for (uint32_t index = 0; !must_erase && index < PLACES; index++)
    if (place(index)->mark == MARK && resolves(place(index), address)) return place(index);
  return 0;
}

int bonds_exist(void) {
  for (uint32_t index = 0; !must_erase && index < PLACES; index++)
    if (place(index)->mark == MARK && place(index) != invalid) return 1;
  return must_write;
}

static const bond_t *free_place(void) {
  for (uint32_t index = 0; index < PLACES; index++)
    if (place(index)->mark == FREE) return place(index);
  return 0;
}

// Begins what is to be done next, unless something goes on.
void bonds_tick(void) {
  if (is_busy) return;
  if (must_forget && !must_erase && !invalid && !must_write) {
    must_forget = 0;
    invalid = bond_by_address(forgotten);
  }
  uint32_t result = SUCCESS;
  if (must_erase) {
    result = sd_flash_page_erase(BOND_PAGE / PAGE);
  } else if (invalid) {
    result = sd_flash_write(&invalid->mark, &no_mark, 1);
  } else if (must_write) {
    const bond_t *free = free_place();
    if (free)
      result = sd_flash_write(free, &fresh, sizeof fresh / 4);
    else
      must_erase = 1;
    if (!free) return;
  } else {
    return;
  }
  is_busy = result == SUCCESS;
}

void bonds_flash_done(void) {
  if (!is_busy) return;
  is_busy = 0;
  if (must_erase)
    must_erase = 0;
  else if (invalid)
    invalid = 0;
  else
    must_write = 0;
  bonds_tick();
}

void bond_keep(const encryption_key_t *own, const identity_t *peer) {
  // One who pairs again has a new bond in place of the old one.
  const bond_t *old = bond_by_address(peer->address);
  if (old && old != &fresh) invalid = old;
  fresh.mark = MARK;
#ifdef UPDATABLE
  fresh.file = fresh.number = FILE;
#endif
  fresh.own = *own;
  fresh.peer = *peer;
  must_write = 1;
  bonds_tick();
}

// Its place on the flash is looked for when nothing is left to be written before.
void bond_forget(const uint8_t *address) {
  memcpy(forgotten, address, sizeof forgotten);
  must_forget = 1;
  bonds_tick();
}
