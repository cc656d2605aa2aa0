#pragma once
/* What the C library declares stays its own; else it would be seen by those files only that import this module. */
#pragma clang module import SwiftGlibc
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* Only numbers and structures of the headers are used. The numbers of the requests are made by macros that Swift does
   not see, and the lists end in arrays of no fixed length: hence in C. */

static const unsigned long cbluetooth_device_up = HCIDEVUP;
static const unsigned long cbluetooth_device_down = HCIDEVDOWN;
static const unsigned long cbluetooth_device_info = HCIGETDEVINFO;

/* Fills in the indices of at most `room` adapters, in the kernel's order; returns how many, or -1 with errno. */
static inline int cbluetooth_adapters(int descriptor, uint16_t *indices, uint16_t room) {
  _Alignas(struct hci_dev_list_req) unsigned char octets[sizeof(struct hci_dev_list_req) +
                                                         HCI_MAX_DEV * sizeof(struct hci_dev_req)];
  struct hci_dev_list_req *list = (struct hci_dev_list_req *)octets;
  memset(octets, 0, sizeof octets);
  list->dev_num = HCI_MAX_DEV;
  if (ioctl(descriptor, HCIGETDEVLIST, list) < 0) return -1;
  uint16_t count = list->dev_num < room ? list->dev_num : room;
  for (uint16_t i = 0; i < count; i++) indices[i] = list->dev_req[i].dev_id;
  return count;
}

/* Fills in at most `room` connections of an adapter, at most 32 are asked for; returns how many, or -1 with errno. */
static inline int cbluetooth_connections(int descriptor, uint16_t index, struct hci_conn_info *connections,
                                         uint16_t room) {
  _Alignas(struct hci_conn_list_req) unsigned char octets[sizeof(struct hci_conn_list_req) +
                                                          32 * sizeof(struct hci_conn_info)];
  struct hci_conn_list_req *list = (struct hci_conn_list_req *)octets;
  memset(octets, 0, sizeof octets);
  list->dev_id = index;
  list->conn_num = 32;
  if (ioctl(descriptor, HCIGETCONNLIST, list) < 0) return -1;
  uint16_t count = list->conn_num < room ? list->conn_num : room;
  for (uint16_t i = 0; i < count; i++) connections[i] = list->conn_info[i];
  return count;
}
