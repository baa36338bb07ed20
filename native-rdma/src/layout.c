/* Copyright the crail authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What DiSNI asks for when it starts: the version of this interface, and where the fields of the
 * structures are that it writes and reads in raw memory. And the processors of a thread. No state.
 */
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>

#include "native.h"

/* DiSNI 2.1 takes this one only. */
#define INTERFACE_VERSION 32

#define CPUS 64

/* DiSNI writes these where it has always known them to be. */
_Static_assert(offsetof(struct ibv_send_wr, wr.rdma.rkey) ==
                   offsetof(struct ibv_send_wr, wr.rdma.remote_addr) + 8,
               "the key follows the address");
_Static_assert(offsetof(struct ibv_send_wr, send_flags) == 32, "flags of a send request");
_Static_assert(offsetof(struct ibv_recv_wr, num_sge) == 24, "elements of a receive request");
_Static_assert(offsetof(struct ibv_wc, status) == 8, "status of a completion");
_Static_assert(offsetof(struct ibv_sge, lkey) == 12, "key of an element");

DISPATCHER(jint, getVersion)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return INTERFACE_VERSION;
}

DISPATCHER(jint, getSockAddrInSize)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return sizeof(struct sockaddr_in);
}

DISPATCHER(jint, getIbvRecvWRSize)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return sizeof(struct ibv_recv_wr);
}

DISPATCHER(jint, getIbvSendWRSize)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return sizeof(struct ibv_send_wr);
}

DISPATCHER(jint, getIbvSgeSize)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return sizeof(struct ibv_sge);
}

DISPATCHER(jint, getIbvWCSize)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return sizeof(struct ibv_wc);
}

DISPATCHER(jint, getRemoteAddressOffset)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return offsetof(struct ibv_send_wr, wr.rdma.remote_addr);
}

DISPATCHER(jint, getRKeyOffset)(JNIEnv *env, jobject self) {
    (void)env;
    (void)self;
    return offsetof(struct ibv_send_wr, wr.rdma.rkey);
}

AFFINITY(void, setAffinity)(JNIEnv *env, jclass type, jlong mask) {
    (void)env;
    (void)type;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (size_t i = 0; i < CPUS; i++) {
        if (((uint64_t)mask >> i & 1) != 0) {
            CPU_SET(i, &processors);
        }
    }
    /* A wish: where it cannot be had, the thread stays where it is. */
    (void)!sched_setaffinity(0, sizeof processors, &processors);
}

AFFINITY(jlong, getAffinity)(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) != 0) {
        return ~(jlong)0;
    }
    uint64_t mask = 0;
    for (size_t i = 0; i < CPUS; i++) {
        mask |= (uint64_t)(CPU_ISSET(i, &processors) ? 1 : 0) << i;
    }
    return (jlong)mask;
}
