#pragma once
#include <malloc.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/* Newer than the headers' default feature set. */
extern int epoll_pwait2(int epfd, struct epoll_event *events, int maxevents, const struct timespec *timeout,
                        const sigset_t *sigmask);

extern int pipe2(int ends[2], int flags);
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);

/* The concurrency runtime's override point for jobs that would go to the global pool. */
extern void *swift_task_enqueueGlobal_hook;
static inline void clinux_set_enqueue_global_hook(void *hook) { swift_task_enqueueGlobal_hook = hook; }
