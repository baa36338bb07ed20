/* Copyright the crail authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What all natives share: their names, their exceptions, and how they wait.
 *
 * The natives are those that the classes of DiSNI 2.1 declare (com.ibm.disni.verbs.impl.
 * NativeDispatcher and com.ibm.disni.util.NativeAffinity). Memory comes as an address of off-heap
 * memory that the Java caller keeps for the length of the call; nothing is kept beyond it, and no
 * array of the heap is touched. Any thread may call anything at any time (see handles.h).
 *
 * Not defended against, because it cannot be told from what is right: an address that is neither zero
 * nor the caller's memory, and lists of work requests that are not well-formed.
 */
#ifndef CRAIL_NATIVE_H
#define CRAIL_NATIVE_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#define DISPATCHER(type, name) \
    JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name
#define AFFINITY(type, name) JNIEXPORT type JNICALL Java_com_ibm_disni_util_NativeAffinity__1##name

/* -Wmissing-prototypes asks for a declaration of what others call. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Throws java.io.IOException "WHAT: TEXT OF ERROR"; the caller returns at once. */
void throw_error(JNIEnv *env, const char *what, int error);

/* Throws java.io.IOException for a number that names no object of the kind that is meant. */
void throw_no_object(JNIEnv *env, const char *kind);

/* Sets O_NONBLOCK; an errno, or 0. */
int make_nonblocking(int fd);

/*
 * Waits until the descriptor of a pinned object can be read. False after the time, which below zero
 * has no end, after an error, and as soon as somebody wants to destroy the object.
 */
bool await_readable(int64_t pinned, int fd, int timeout_millis);

static inline void *address(jlong value) { return (void *)(uintptr_t)value; }

#endif
