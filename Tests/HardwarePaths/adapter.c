/* An adapter of the kernel whose controller is an H4 peer at a Unix socket, or at a TCP port of an IPv4 address.
 *
 *     adapter vhci CONTROLLER OCTETS                 a virtual adapter (/dev/vhci), whose number is said
 *     adapter usb CONTROLLER OCTETS [PORT SERIAL]    a dongle on USB, of class E0/01/01, over USB/IP (vhci_hcd)
 *
 * CONTROLLER is a path or ADDRESS:PORT. The adapter is unplugged when so many octets of data have come from its
 * controller, 0 for never, and when the program ends. The dongle is in port 0 and has the serial number S/N unless
 * stated. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void write_all(int descriptor, const void *octets, size_t count) {
  const uint8_t *next = octets;
  while (count > 0) {
    ssize_t done = write(descriptor, next, count);
    if (done <= 0) fail("write");
    next += done;
    count -= (size_t)done;
  }
}

static void read_all(int descriptor, void *octets, size_t count) {
  uint8_t *next = octets;
  while (count > 0) {
    ssize_t done = read(descriptor, next, count);
    if (done <= 0) exit(0); /* The other end is gone, and so is the adapter. */
    next += done;
    count -= (size_t)done;
  }
}

static int connect_to_port(const char *host, size_t length, const char *port) {
  char text[INET_ADDRSTRLEN] = "";
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  if (length < sizeof text) memcpy(text, host, length);
  int descriptor = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (descriptor < 0 || inet_pton(AF_INET, text, &address.sin_addr) != 1) fail(host);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(host);
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return descriptor;
}

static int connect_to(const char *path) {
  const char *colon = strchr(path, ':');
  if (colon) return connect_to_port(path, (size_t)(colon - path), colon + 1);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(path);
  return descriptor;
}

enum { COMMAND = 1, DATA = 2, EVENT = 4 };

/* Octets of data that may still come; 0 for any number. */
static size_t rest_of_data;

/* Reads one packet of the controller, indicator first; returns its length. */
static size_t read_packet(int controller, uint8_t *packet) {
  read_all(controller, packet, 1);
  size_t header = packet[0] == EVENT ? 2 : 4;
  read_all(controller, packet + 1, header);
  size_t rest = packet[0] == EVENT ? packet[2] : (size_t)(packet[3] | packet[4] << 8);
  read_all(controller, packet + 1 + header, rest);
  if (packet[0] == DATA && rest_of_data > 0) {
    if (rest_of_data <= rest) exit(0);
    rest_of_data -= rest;
  }
  return 1 + header + rest;
}

/* The virtual adapter: each read and write of /dev/vhci is a packet with its indicator. */

static void run_vhci(int controller) {
  static uint8_t packet[70000];
  int device = open("/dev/vhci", O_RDWR);
  if (device < 0) fail("/dev/vhci");
  const uint8_t create[] = {0xFF, 0x00};
  write_all(device, create, sizeof create);
  for (;;) {
    struct pollfd both[] = {{controller, POLLIN, 0}, {device, POLLIN, 0}};
    if (poll(both, 2, -1) < 0) fail("poll");
    if (both[1].revents) {
      ssize_t count = read(device, packet, sizeof packet);
      if (count <= 0) fail("read");
      if (packet[0] != 0xFF) {
        write_all(controller, packet, (size_t)count);
      } else {
        printf("%d\n", packet[2] | packet[3] << 8);
        fflush(stdout);
      }
    }
    if (both[0].revents) write_all(device, packet, read_packet(controller, packet));
  }
}

/* The dongle, as USB/IP's protocol describes it (Documentation/usb/usbip_protocol.rst of the kernel). */

enum { SUBMIT = 1, UNLINK = 2, SUBMITTED = 3, UNLINKED = 4 };
enum { EVENTS_IN = 1, DATA_OUT = 2, DATA_IN = 3, WAITING_LIMIT = 64, EVENT_SIZE = 16, DATA_SIZE = 64 };

struct header {
  uint32_t command, number, device, direction, endpoint;
  uint32_t word[5]; /* submit: flags, length, …; submitted: status, length, …; unlink: number; unlinked: status */
  uint8_t setup[8];
};

static const uint8_t device_descriptor[] = {18, 1, 0, 2, 0xE0, 1, 1, 64, 0x09, 0x12, 1, 0, 0, 1, 0, 0, 1, 1};
static const uint8_t configuration_descriptor[] = {
    9, 2,    62,   0, 2,  1, 0, 0x80, 50,                                                               /* whole */
    9, 4,    0,    0, 3,  0xE0, 1, 1, 0,                                                                /* controller */
    7, 5,    0x81, 3, 16, 0, 1, 7, 5, 0x02, 2, 64, 0, 0, 7, 5, 0x83, 2, 64, 0, 0,                       /* its endpoints */
    9, 4,    1,    0, 2,  0xE0, 1, 1, 0, 7, 5, 0x04, 1, 0, 0, 1, 7, 5, 0x84, 1, 0, 0, 1,                /* voice */
};
static const uint8_t languages[] = {4, 3, 9, 4};
static uint8_t serial_number[64] = {2, 3};

static struct waiting {
  struct header requests[WAITING_LIMIT];
  int count;
  uint8_t octets[200000];
  size_t length;
  size_t piece;
  /* Where each packet ends, since no piece holds parts of two. */
  size_t ends[4096];
  int packets;
} events = {.piece = EVENT_SIZE}, data = {.piece = DATA_SIZE};

static void answer(int bus, const struct header *request, int32_t status, const void *octets, uint32_t length) {
  struct header reply = {.command = htonl(SUBMITTED), .number = htonl(request->number)};
  reply.word[0] = htonl((uint32_t)status);
  reply.word[1] = htonl(length);
  write_all(bus, &reply, sizeof reply);
  if (octets) write_all(bus, octets, length);
}

/* Brings together requests that wait on an endpoint and pieces that wait for one. */
static void pump(int bus, struct waiting *way) {
  while (way->count > 0 && way->length > 0) {
    size_t piece = way->ends[0] < way->piece ? way->ends[0] : way->piece;
    answer(bus, &way->requests[0], 0, way->octets, (uint32_t)piece);
    memmove(way->requests, way->requests + 1, sizeof way->requests[0] * (size_t)--way->count);
    way->length -= piece;
    memmove(way->octets, way->octets + piece, way->length);
    for (int i = 0; i < way->packets; i++) way->ends[i] -= piece;
    if (way->ends[0] == 0) memmove(way->ends, way->ends + 1, sizeof way->ends[0] * (size_t)--way->packets);
  }
}

static void arrive(int bus, struct waiting *way, const uint8_t *octets, size_t length) {
  if (way->length + length > sizeof way->octets || way->packets == 4096) exit(1);
  memcpy(way->octets + way->length, octets, length);
  way->length += length;
  way->ends[way->packets++] = way->length;
  pump(bus, way);
}

static void describe(int bus, const struct header *request, const void *octets, size_t length) {
  size_t wanted = request->setup[6] | request->setup[7] << 8;
  answer(bus, request, 0, octets, (uint32_t)(wanted < length ? wanted : length));
}

static void control(int bus, int controller, const struct header *request, const uint8_t *octets, uint32_t length) {
  const uint8_t kind = request->setup[0], number = request->setup[1];
  const uint8_t index = request->setup[2], type = request->setup[3];
  if (kind == 0x20) {
    const uint8_t indicator = COMMAND;
    write_all(controller, &indicator, 1);
    write_all(controller, octets, length);
    answer(bus, request, 0, NULL, length);
  } else if (kind == 0x80 && number == 6 && type == 1) {
    describe(bus, request, device_descriptor, sizeof device_descriptor);
  } else if (kind == 0x80 && number == 6 && type == 2) {
    describe(bus, request, configuration_descriptor, sizeof configuration_descriptor);
  } else if (kind == 0x80 && number == 6 && type == 3 && index == 0) {
    describe(bus, request, languages, sizeof languages);
  } else if (kind == 0x80 && number == 6 && type == 3) {
    describe(bus, request, serial_number, serial_number[0]);
  } else if ((kind & 0x80) == 0) {
    answer(bus, request, 0, NULL, 0); /* Configurations, settings, features: as wished. */
  } else {
    answer(bus, request, -EPIPE, NULL, 0);
  }
}

static void submit(int bus, int controller, const struct header *request) {
  static uint8_t octets[70000];
  uint32_t length = ntohl(request->word[1]);
  if (request->direction == 0) {
    if (length > sizeof octets) exit(1);
    read_all(bus, octets, length);
  }
  struct waiting *way = request->endpoint == EVENTS_IN ? &events : &data;
  if (request->endpoint == 0) {
    control(bus, controller, request, octets, length);
  } else if (request->direction == 0) {
    const uint8_t indicator = DATA;
    write_all(controller, &indicator, 1);
    write_all(controller, octets, length);
    answer(bus, request, 0, NULL, length);
  } else if (way->count < WAITING_LIMIT) {
    way->requests[way->count++] = *request;
    pump(bus, way);
  } else {
    answer(bus, request, -ENOMEM, NULL, 0);
  }
}

static void unlink_request(int bus, const struct header *request) {
  struct header reply = {.command = htonl(UNLINKED), .number = htonl(request->number)};
  struct waiting *ways[] = {&events, &data};
  for (int i = 0; i < 2; i++) {
    for (int place = 0; place < ways[i]->count; place++) {
      if (ways[i]->requests[place].number != ntohl(request->word[0])) continue;
      memmove(ways[i]->requests + place, ways[i]->requests + place + 1,
              sizeof *request * (size_t)(--ways[i]->count - place));
      reply.word[0] = htonl((uint32_t)-ECONNRESET);
    }
  }
  write_all(bus, &reply, sizeof reply);
}

static void set_serial_number(const char *text) {
  for (; *text && serial_number[0] < sizeof serial_number; text++, serial_number[0] += 2) {
    serial_number[serial_number[0]] = (uint8_t)*text;
  }
}

static int attach(int port) {
  int pair[2];
  char line[64];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) fail("socketpair");
  int file = open("/sys/devices/platform/vhci_hcd.0/attach", O_WRONLY);
  /* Port, socket, number of the device, full speed. */
  int length = snprintf(line, sizeof line, "%d %d %u 2", port, pair[0], 1u << 16 | (2u + (unsigned)port));
  if (file < 0 || write(file, line, (size_t)length) < 0) fail("attach");
  close(file);
  close(pair[0]);
  return pair[1];
}

static void run_usb(int controller, int port) {
  static uint8_t packet[70000];
  int bus = attach(port);
  for (;;) {
    struct pollfd both[] = {{controller, POLLIN, 0}, {bus, POLLIN, 0}};
    if (poll(both, 2, -1) < 0) fail("poll");
    if (both[0].revents) {
      size_t length = read_packet(controller, packet);
      arrive(bus, packet[0] == EVENT ? &events : &data, packet + 1, length - 1);
    }
    if (both[1].revents) {
      struct header request;
      read_all(bus, &request, sizeof request);
      request.command = ntohl(request.command);
      request.number = ntohl(request.number);
      request.direction = ntohl(request.direction);
      request.endpoint = ntohl(request.endpoint);
      if (request.command == SUBMIT) submit(bus, controller, &request);
      if (request.command == UNLINK) unlink_request(bus, &request);
    }
  }
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int controller = connect_to(arguments[2]);
  rest_of_data = (size_t)atoi(arguments[3]);
  if (strcmp(arguments[1], "usb") == 0) {
    set_serial_number(count > 5 ? arguments[5] : "S/N");
    run_usb(controller, count > 5 ? atoi(arguments[4]) : 0);
  }
  run_vhci(controller);
  return 0;
}
