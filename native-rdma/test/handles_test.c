/* Copyright the crail authors. SPDX-License-Identifier: Apache-2.0 */
/* What handles.h promises, alone and with threads that use and destroy the same objects. */
#include "handles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static void numbers_name_their_object_only(void) {
    int object = 1;
    int64_t number = handle_new(HANDLE_CQ, &object);
    CHECK(number > 0);
    CHECK(handle_pin(HANDLE_CQ, number) == &object);
    CHECK(!handle_is_closing(number));
    handle_unpin(number);

    const int64_t wrong[] = {0, -1, INT64_MIN, INT64_MAX, number + 1, number ^ (1 << 30)};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK(handle_pin(HANDLE_CQ, wrong[i]) == NULL);
        CHECK(handle_close(HANDLE_CQ, wrong[i]) == NULL);
    }
    CHECK(handle_pin(HANDLE_QP, number) == NULL);

    CHECK(handle_close(HANDLE_CQ, number) == &object);
    CHECK(handle_pin(HANDLE_CQ, number) == NULL);
    CHECK(handle_close(HANDLE_CQ, number) == NULL);
    handle_reopen(number);
    CHECK(handle_pin(HANDLE_CQ, number) == &object);
    handle_unpin(number);
    CHECK(handle_close(HANDLE_CQ, number) == &object);
    handle_closed(number);
    CHECK(handle_pin(HANDLE_CQ, number) == NULL);

    int64_t next = handle_new(HANDLE_CQ, &object);
    CHECK(next != number);
    CHECK(handle_pin(HANDLE_CQ, number) == NULL);
    CHECK(handle_close(HANDLE_CQ, next) == &object);
    handle_closed(next);
}

static void owned_numbers_are_taken_once(void) {
    int object = 1;
    int64_t number = handle_new(HANDLE_ID, &object);
    CHECK(handle_swap_owned(number, 5) == 0);
    CHECK(handle_swap_owned(number, 0) == 5);
    CHECK(handle_swap_owned(number, 0) == 0);
    CHECK(handle_close(HANDLE_ID, number) == &object);
    handle_closed(number);
}

static void contexts_have_one_number(void) {
    int first = 1;
    int second = 2;
    int64_t number = handle_of_context(&first);
    CHECK(number > 0 && handle_of_context(&first) == number);
    CHECK(handle_of_context(&second) != number);
}

static void table_has_a_limit(void) {
    static int64_t all[HANDLE_LIMIT];
    int object = 1;
    int count = 0;
    for (int64_t number = handle_new(HANDLE_MR, &object); number != 0;
         number = handle_new(HANDLE_MR, &object)) {
        CHECK(count < HANDLE_LIMIT);
        all[count++] = number;
    }
    for (int i = 0; i < count; i++) {
        CHECK(handle_close(HANDLE_MR, all[i]) == &object);
        handle_closed(all[i]);
    }
    int64_t number = handle_new(HANDLE_MR, &object);
    CHECK(number != 0);
    CHECK(handle_close(HANDLE_MR, number) == &object);
    handle_closed(number);
}

/* Threads use, destroy and make anew the objects of a few places, which are freed memory in between. */
#define PLACES 4
#define THREADS 4
#define ROUNDS 2000

static _Atomic int64_t places[PLACES];
static _Atomic int destroyed;

static void *use_and_destroy(void *argument) {
    unsigned seed = (unsigned)(uintptr_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        seed = seed * 1103515245u + 12345u;
        _Atomic int64_t *place = &places[seed >> 16 & (PLACES - 1)];
        int64_t number = atomic_load(place);
        if ((seed >> 20 & 7) != 0) {
            atomic_int *object = handle_pin(HANDLE_QP, number);
            if (object != NULL) {
                CHECK(atomic_load(object) == 42);
                handle_unpin(number);
            }
            continue;
        }
        atomic_int *object = handle_close(HANDLE_QP, number);
        if (object == NULL) {
            continue;
        }
        CHECK(atomic_exchange(object, 0) == 42);
        free(object);
        handle_closed(number);
        atomic_fetch_add(&destroyed, 1);
        atomic_int *fresh = malloc(sizeof *fresh);
        CHECK(fresh != NULL);
        atomic_init(fresh, 42);
        atomic_store(place, handle_new(HANDLE_QP, fresh));
    }
    return NULL;
}

static void nothing_is_destroyed_while_it_is_used(void) {
    for (int i = 0; i < PLACES; i++) {
        atomic_int *object = malloc(sizeof *object);
        CHECK(object != NULL);
        atomic_init(object, 42);
        atomic_store(&places[i], handle_new(HANDLE_QP, object));
    }
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, use_and_destroy, (void *)(i + 1)) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(atomic_load(&destroyed) > 0);
    for (int i = 0; i < PLACES; i++) {
        void *object = handle_close(HANDLE_QP, atomic_load(&places[i]));
        CHECK(object != NULL);
        free(object);
        handle_closed(atomic_load(&places[i]));
    }
}

int main(void) {
    numbers_name_their_object_only();
    owned_numbers_are_taken_once();
    contexts_have_one_number();
    nothing_is_destroyed_while_it_is_used();
    table_has_a_limit();
    printf("handles ok\n");
    return 0;
}
