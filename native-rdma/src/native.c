/* Copyright the crail authors. SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "handles.h"

/* Who waits looks as often whether the object is to be destroyed. */
#define SLICE_MILLIS 50

static void throw_io(JNIEnv *env, const char *message) {
    jclass type = (*env)->FindClass(env, "java/io/IOException");
    /* If there is none, that is thrown. */
    if (type != NULL) {
        (*env)->ThrowNew(env, type, message);
    }
}

void throw_error(JNIEnv *env, const char *what, int error) {
    char text[128];
    char message[256];
    snprintf(message, sizeof message, "%s: %s", what, strerror_r(error, text, sizeof text));
    throw_io(env, message);
}

void throw_no_object(JNIEnv *env, const char *kind) {
    char message[128];
    snprintf(message, sizeof message, "there is no such %s, or not any more", kind);
    throw_io(env, message);
}

int make_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? errno : 0;
}

static int64_t now_millis(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool await_readable(int64_t pinned, int fd, int timeout_millis) {
    int64_t end = now_millis() + timeout_millis;
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    while (!handle_is_closing(pinned)) {
        int slice = SLICE_MILLIS;
        if (timeout_millis >= 0) {
            int64_t left = end - now_millis();
            slice = left < 0 ? 0 : left < slice ? (int)left : slice;
        }
        int count = poll(&wanted, 1, slice);
        if (count > 0) {
            return (wanted.revents & POLLIN) != 0;
        }
        if (count < 0 || (timeout_millis >= 0 && now_millis() >= end)) {
            return false;
        }
    }
    return false;
}
