/* Copyright the crail authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers by which Java knows the objects of librdmacm and libibverbs.
 *
 * Java may use a number after its object is gone, in several threads, twice, or make one up. So a
 * number is not an address: it names a slot of a table, the kind of the object, and the turn of the
 * slot, which grows with each object. A number that is stale, of another kind or invented finds
 * nothing. Zero and negative numbers name nothing.
 *
 * Ownership. A slot refers to an object; it belongs to whoever destroys it, once.
 *
 * Concurrency. Each slot has one word: turn, a closing flag, and the number of threads that use the
 * object (pins), changed by compare-and-set only. An object is used between handle_pin and
 * handle_unpin. handle_close sets the flag, of which one thread can be the first, and waits until
 * nobody uses the object; from then on only that thread has it. So nothing is destroyed under a call.
 * A pin lasts for one call; calls that wait look at handle_is_closing and return early. The list of
 * free slots has a mutex.
 */
#ifndef CRAIL_HANDLES_H
#define CRAIL_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

enum handle_kind {
    HANDLE_CHANNEL = 1,
    HANDLE_ID,
    HANDLE_CONTEXT,
    HANDLE_PD,
    HANDLE_COMPLETION_CHANNEL,
    HANDLE_CQ,
    HANDLE_QP,
    HANDLE_MR,
};

/* Objects at a time. */
#define HANDLE_LIMIT 65536

/* A number for an object, which is above zero; 0 if there are HANDLE_LIMIT objects already. */
int64_t handle_new(enum handle_kind kind, void *object);

/* The object, which is not destroyed before handle_unpin; NULL if the number names none of the kind. */
void *handle_pin(enum handle_kind kind, int64_t handle);

/* Of a number that handle_pin found. */
void handle_unpin(int64_t handle);

/* Whether somebody waits to destroy the object. Of a number that is pinned. */
bool handle_is_closing(int64_t handle);

/*
 * Takes the object away from all others, for destruction, and waits until none uses it. NULL if the
 * number names none of the kind, or another thread was first. The calling thread must have no pin of
 * it. To be followed by handle_closed or handle_reopen.
 */
void *handle_close(enum handle_kind kind, int64_t handle);

/* The object is gone; its number names nothing any more. */
void handle_closed(int64_t handle);

/* The object could not be destroyed and may be used again. */
void handle_reopen(int64_t handle);

/* The number of an object that this one owns, 0 at first. Of a number that is pinned or closing. */
int64_t handle_swap_owned(int64_t handle, int64_t owned);

/* The number of a device context, which is made once and stays; 0 as for handle_new. */
int64_t handle_of_context(void *context);

#endif
