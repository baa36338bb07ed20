/* Copyright the crail authors. SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

/*
 * Of a number: 4 bits kind, 16 bits slot, 31 bits turn. Of the word of a slot: 24 bits pins, the
 * closing flag, 31 bits turn above 32. A turn is used 2^31 times before a number comes again.
 */
#define KIND_BITS 4
#define SLOT_BITS 16
#define TURN_MASK 0x7FFFFFFFu
#define PINS_MASK 0x00FFFFFFu
#define CLOSING (1ull << 31)

/* Between looks at the pins of an object that is to be destroyed. */
#define LOOK_NANOS 100000

struct slot {
    _Atomic uint64_t word;
    void *_Atomic object;
    _Atomic int64_t owned;
    /* 0 while the slot is free. */
    _Atomic int kind;
    /* Guarded by the mutex: the next free slot. */
    uint32_t next;
};

static struct slot slots[HANDLE_LIMIT];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by the mutex. Slots below `used` were in use; of those `free_list` is free, one more each. */
static uint32_t used;
static uint32_t free_list;

_Static_assert(HANDLE_LIMIT == 1u << SLOT_BITS, "the slots of a number are those of the table");
_Static_assert(HANDLE_MR < 1 << KIND_BITS, "a kind has its bits");

static uint32_t turn_of(uint64_t word) { return (uint32_t)(word >> 32) & TURN_MASK; }

static struct slot *slot_of(int64_t handle) {
    return &slots[(uint64_t)handle >> KIND_BITS & (HANDLE_LIMIT - 1)];
}

static bool names(enum handle_kind kind, int64_t handle) {
    return handle > 0 && (handle & ((1 << KIND_BITS) - 1)) == (int64_t)kind;
}

static uint32_t turn_in(int64_t handle) {
    return (uint32_t)((uint64_t)handle >> (KIND_BITS + SLOT_BITS)) & TURN_MASK;
}

/* With the mutex held. */
static int64_t take(enum handle_kind kind, void *object) {
    uint32_t index;
    if (free_list != 0) {
        index = free_list - 1;
        free_list = slots[index].next;
    } else if (used < HANDLE_LIMIT) {
        index = used++;
    } else {
        return 0;
    }
    struct slot *slot = &slots[index];
    uint64_t turn = turn_of(atomic_load(&slot->word));
    atomic_store(&slot->object, object);
    atomic_store(&slot->owned, 0);
    /* Last: from here on the number names the object. */
    atomic_store(&slot->kind, (int)kind);
    return (int64_t)(turn << (KIND_BITS + SLOT_BITS) | (uint64_t)index << KIND_BITS | (uint64_t)kind);
}

int64_t handle_new(enum handle_kind kind, void *object) {
    pthread_mutex_lock(&mutex);
    int64_t handle = take(kind, object);
    pthread_mutex_unlock(&mutex);
    return handle;
}

void *handle_pin(enum handle_kind kind, int64_t handle) {
    if (!names(kind, handle)) {
        return NULL;
    }
    struct slot *slot = slot_of(handle);
    uint64_t word = atomic_load(&slot->word);
    do {
        if (turn_of(word) != turn_in(handle) || (word & CLOSING) != 0 ||
            (word & PINS_MASK) == PINS_MASK) {
            return NULL;
        }
    } while (!atomic_compare_exchange_weak(&slot->word, &word, word + 1));
    /* A number that was made up may name a free slot, or one of another kind. */
    if (atomic_load(&slot->kind) != (int)kind) {
        handle_unpin(handle);
        return NULL;
    }
    return atomic_load(&slot->object);
}

void handle_unpin(int64_t handle) { atomic_fetch_sub(&slot_of(handle)->word, 1); }

bool handle_is_closing(int64_t handle) {
    return (atomic_load(&slot_of(handle)->word) & CLOSING) != 0;
}

void *handle_close(enum handle_kind kind, int64_t handle) {
    void *object = handle_pin(kind, handle);
    if (object == NULL) {
        return NULL;
    }
    struct slot *slot = slot_of(handle);
    uint64_t word = atomic_load(&slot->word);
    do {
        if ((word & CLOSING) != 0) {
            handle_unpin(handle);
            return NULL;
        }
        /* The own pin goes with the flag. */
    } while (!atomic_compare_exchange_weak(&slot->word, &word, (word | CLOSING) - 1));
    const struct timespec pause = {.tv_nsec = LOOK_NANOS};
    while ((atomic_load(&slot->word) & PINS_MASK) != 0) {
        nanosleep(&pause, NULL);
    }
    return object;
}

void handle_closed(int64_t handle) {
    struct slot *slot = slot_of(handle);
    atomic_store(&slot->kind, 0);
    pthread_mutex_lock(&mutex);
    uint64_t turn = (turn_in(handle) + 1) & TURN_MASK;
    /* Nobody pins a closing slot, so that nothing but this changes the word. */
    atomic_store(&slot->word, turn << 32);
    slot->next = free_list;
    free_list = (uint32_t)(slot - slots) + 1;
    pthread_mutex_unlock(&mutex);
}

void handle_reopen(int64_t handle) { atomic_fetch_and(&slot_of(handle)->word, ~CLOSING); }

int64_t handle_swap_owned(int64_t handle, int64_t owned) {
    return atomic_exchange(&slot_of(handle)->owned, owned);
}

int64_t handle_of_context(void *context) {
    int64_t found = 0;
    pthread_mutex_lock(&mutex);
    /* A process has a few devices at most, and asks once for each connection. */
    for (uint32_t i = 0; i < used && found == 0; i++) {
        if (atomic_load(&slots[i].kind) == HANDLE_CONTEXT &&
            atomic_load(&slots[i].object) == context) {
            uint64_t turn = turn_of(atomic_load(&slots[i].word));
            found = (int64_t)(turn << (KIND_BITS + SLOT_BITS) | (uint64_t)i << KIND_BITS |
                              HANDLE_CONTEXT);
        }
    }
    if (found == 0) {
        found = take(HANDLE_CONTEXT, context);
    }
    pthread_mutex_unlock(&mutex);
    return found;
}
