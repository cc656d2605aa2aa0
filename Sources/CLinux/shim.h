#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/resource.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <pty.h>

/* The concurrency runtime's override point for jobs that would go to the global pool. */
extern void *swift_task_enqueueGlobal_hook;
static inline void clinux_set_enqueue_global_hook(void *hook) { swift_task_enqueueGlobal_hook = hook; }
