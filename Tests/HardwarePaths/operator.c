/* Somebody at a terminal, who does what the prompts of a program ask for.
 *
 *     operator STEERING PROGRAM [ARGUMENT …]
 *
 * STEERING is the control socket of `simulate`, whose recorder loses its power and gets it back when a prompt asks for
 * that; every prompt is then answered. Shows what the program says, ends as it ends. */
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(125);
}

/* Has an order performed; the answer is one line. */
static void steer(const char *path, const char *order) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(path);
  if (write(descriptor, order, strlen(order)) < 0) fail(path);
  char answer = 0;
  while (answer != '\n' && read(descriptor, &answer, 1) == 1) putchar(answer);
  close(descriptor);
}

int main(int count, char **arguments) {
  if (count < 3) return 125;
  int terminal;
  pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child < 0) fail("forkpty");
  if (child == 0) {
    execv(arguments[2], arguments + 2);
    fail(arguments[2]);
  }
  /* What was said since the last prompt; only its end matters. */
  char said[4096] = "", piece[1024];
  size_t length = 0;
  ssize_t more;
  while ((more = read(terminal, piece, sizeof piece)) > 0) {
    fwrite(piece, 1, (size_t)more, stdout);
    if (length + (size_t)more >= sizeof said) length = 0;
    memcpy(said + length, piece, (size_t)more);
    length += (size_t)more;
    said[length] = 0;
    if (!strstr(said, "Enter when done")) continue;
    if (strstr(said, "supply off and on")) steer(arguments[1], "reboot\n");
    if (write(terminal, "\n", 1) < 0) break;
    said[length = 0] = 0;
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}
