/* Copyright the crail authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Natives of memory, queues and completions, by libibverbs, whose functions may be called by any
 * thread.
 *
 * Memory that is registered belongs to Java, which keeps it until the region is deregistered. A device
 * context belongs to librdmacm and stays as long as the device does. Events of completion queues are
 * acknowledged when they are taken, so that ibv_destroy_cq, which waits for that, never waits for Java.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "handles.h"
#include "native.h"

static const char *const CONTEXT = "device";
static const char *const PD = "protection domain";
static const char *const COMPLETION_CHANNEL = "completion channel";
static const char *const CQ = "completion queue";
static const char *const QP = "queue pair";
static const char *const MR = "memory region";

DISPATCHER(jlong, allocPd)(JNIEnv *env, jobject self, jlong handle) {
    (void)self;
    struct ibv_context *context = handle_pin(HANDLE_CONTEXT, handle);
    if (context == NULL) {
        throw_no_object(env, CONTEXT);
        return -1;
    }
    struct ibv_pd *pd = ibv_alloc_pd(context);
    int error = pd == NULL ? errno : 0;
    int64_t result = error != 0 ? 0 : handle_new(HANDLE_PD, pd);
    if (error == 0 && result == 0) {
        ibv_dealloc_pd(pd);
        error = EMFILE;
    }
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "ibv_alloc_pd", error);
        return -1;
    }
    return result;
}

DISPATCHER(jint, deallocPd)(JNIEnv *env, jobject self, jlong handle) {
    (void)env;
    (void)self;
    struct ibv_pd *pd = handle_close(HANDLE_PD, handle);
    if (pd == NULL) {
        return -1;
    }
    int result = ibv_dealloc_pd(pd);
    if (result == 0) {
        handle_closed(handle);
    } else {
        handle_reopen(handle); /* something still uses it */
    }
    return result;
}

DISPATCHER(jlong, createCompChannel)(JNIEnv *env, jobject self, jlong handle) {
    (void)self;
    struct ibv_context *context = handle_pin(HANDLE_CONTEXT, handle);
    if (context == NULL) {
        throw_no_object(env, CONTEXT);
        return -1;
    }
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
    int error = channel == NULL ? errno : make_nonblocking(channel->fd);
    int64_t result = error != 0 ? 0 : handle_new(HANDLE_COMPLETION_CHANNEL, channel);
    if (channel != NULL && result == 0) {
        ibv_destroy_comp_channel(channel);
        error = error != 0 ? error : EMFILE;
    }
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "ibv_create_comp_channel", error);
        return -1;
    }
    return result;
}

DISPATCHER(jint, destroyCompChannel)(JNIEnv *env, jobject self, jlong handle) {
    (void)env;
    (void)self;
    struct ibv_comp_channel *channel = handle_close(HANDLE_COMPLETION_CHANNEL, handle);
    if (channel == NULL) {
        return -1;
    }
    int result = ibv_destroy_comp_channel(channel);
    if (result == 0) {
        handle_closed(handle);
    } else {
        handle_reopen(handle); /* a queue still uses it */
    }
    return result;
}

DISPATCHER(jint, getCqEvent)(JNIEnv *env, jobject self, jlong handle, jint timeout_millis) {
    (void)self;
    struct ibv_comp_channel *channel = handle_pin(HANDLE_COMPLETION_CHANNEL, handle);
    if (channel == NULL) {
        throw_no_object(env, COMPLETION_CHANNEL);
        return -1;
    }
    jint result = -1;
    if (await_readable(handle, channel->fd, timeout_millis)) {
        struct ibv_cq *cq;
        void *unused;
        if (ibv_get_cq_event(channel, &cq, &unused) == 0) {
            ibv_ack_cq_events(cq, 1);
            result = 0;
        }
    }
    handle_unpin(handle);
    return result;
}

DISPATCHER(jlong, createCQ)
(JNIEnv *env, jobject self, jlong context_handle, jlong channel_handle, jint entries, jint vector) {
    (void)self;
    struct ibv_context *context = handle_pin(HANDLE_CONTEXT, context_handle);
    struct ibv_comp_channel *channel = handle_pin(HANDLE_COMPLETION_CHANNEL, channel_handle);
    int64_t result = -1;
    if (context == NULL || channel == NULL) {
        throw_no_object(env, "device or completion channel");
    } else {
        struct ibv_cq *cq = ibv_create_cq(context, entries, NULL, channel, vector);
        int error = cq == NULL ? errno : 0;
        result = error != 0 ? 0 : handle_new(HANDLE_CQ, cq);
        if (error == 0 && result == 0) {
            ibv_destroy_cq(cq);
            error = EMFILE;
        }
        if (error != 0) {
            result = -1;
            throw_error(env, "ibv_create_cq", error);
        }
    }
    if (channel != NULL) {
        handle_unpin(channel_handle);
    }
    if (context != NULL) {
        handle_unpin(context_handle);
    }
    return result;
}

DISPATCHER(jint, destroyCQ)(JNIEnv *env, jobject self, jlong handle) {
    (void)env;
    (void)self;
    struct ibv_cq *cq = handle_close(HANDLE_CQ, handle);
    if (cq == NULL) {
        return -1;
    }
    int result = ibv_destroy_cq(cq);
    if (result == 0) {
        handle_closed(handle);
    } else {
        handle_reopen(handle); /* a queue pair still uses it */
    }
    return result;
}

DISPATCHER(jint, pollCQ)(JNIEnv *env, jobject self, jlong handle, jint count, jlong completions) {
    (void)self;
    struct ibv_cq *cq = handle_pin(HANDLE_CQ, handle);
    if (cq == NULL) {
        throw_no_object(env, CQ);
        return -1;
    }
    int result = count <= 0 || completions == 0 ? 0 : ibv_poll_cq(cq, count, address(completions));
    handle_unpin(handle);
    return result;
}

DISPATCHER(jint, reqNotifyCQ)(JNIEnv *env, jobject self, jlong handle, jint solicited) {
    (void)self;
    struct ibv_cq *cq = handle_pin(HANDLE_CQ, handle);
    if (cq == NULL) {
        throw_no_object(env, CQ);
        return -1;
    }
    int result = ibv_req_notify_cq(cq, solicited);
    handle_unpin(handle);
    return result;
}

/* Events are acknowledged when they are taken. */
DISPATCHER(jint, ackCqEvent)(JNIEnv *env, jobject self, jlong handle, jint count) {
    (void)env;
    (void)self;
    (void)count;
    if (handle_pin(HANDLE_CQ, handle) == NULL) {
        return -1;
    }
    handle_unpin(handle);
    return 0;
}

/* DiSNI throws the attributes away before it calls this. */
DISPATCHER(jint, modifyQP)(JNIEnv *env, jobject self, jlong handle, jlong attributes) {
    (void)env;
    (void)self;
    (void)handle;
    (void)attributes;
    return -1;
}

DISPATCHER(jlong, regMr)
(JNIEnv *env, jobject self, jlong pd_handle, jlong start, jint length, jint access, jlong lkey,
 jlong rkey, jlong number) {
    (void)self;
    struct ibv_pd *pd = handle_pin(HANDLE_PD, pd_handle);
    if (pd == NULL) {
        throw_no_object(env, PD);
        return -1;
    }
    int error = 0;
    int64_t result = 0;
    if (length < 0 || start == 0 || lkey == 0 || rkey == 0 || number == 0) {
        error = EINVAL;
    } else {
        struct ibv_mr *mr = ibv_reg_mr(pd, address(start), (size_t)length, (unsigned)access);
        error = mr == NULL ? errno : 0;
        result = error != 0 ? 0 : handle_new(HANDLE_MR, mr);
        if (error == 0 && result == 0) {
            ibv_dereg_mr(mr);
            error = EMFILE;
        } else if (error == 0) {
            memcpy(address(lkey), &mr->lkey, sizeof mr->lkey);
            memcpy(address(rkey), &mr->rkey, sizeof mr->rkey);
            memcpy(address(number), &mr->handle, sizeof mr->handle);
        }
    }
    handle_unpin(pd_handle);
    if (error != 0) {
        throw_error(env, "ibv_reg_mr", error);
        return -1;
    }
    return result;
}

DISPATCHER(void, deregMr)(JNIEnv *env, jobject self, jlong handle) {
    (void)self;
    struct ibv_mr *mr = handle_close(HANDLE_MR, handle);
    if (mr == NULL) {
        throw_no_object(env, MR);
        return;
    }
    int error = ibv_dereg_mr(mr);
    if (error == 0) {
        handle_closed(handle);
    } else {
        handle_reopen(handle);
        throw_error(env, "ibv_dereg_mr", error);
    }
}

/* On-demand paging is not offered. */
DISPATCHER(jint, queryOdpSupport)(JNIEnv *env, jobject self, jlong handle) {
    (void)env;
    (void)self;
    (void)handle;
    return -1;
}

DISPATCHER(jint, expPrefetchMr)
(JNIEnv *env, jobject self, jlong handle, jlong start, jint length) {
    (void)env;
    (void)self;
    (void)handle;
    (void)start;
    (void)length;
    return -1;
}

DISPATCHER(void, postSend)(JNIEnv *env, jobject self, jlong handle, jlong requests) {
    (void)self;
    struct ibv_qp *qp = handle_pin(HANDLE_QP, handle);
    if (qp == NULL) {
        throw_no_object(env, QP);
        return;
    }
    struct ibv_send_wr *bad;
    int error = requests == 0 ? EINVAL : ibv_post_send(qp, address(requests), &bad);
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "ibv_post_send", error);
    }
}

DISPATCHER(void, postRecv)(JNIEnv *env, jobject self, jlong handle, jlong requests) {
    (void)self;
    struct ibv_qp *qp = handle_pin(HANDLE_QP, handle);
    if (qp == NULL) {
        throw_no_object(env, QP);
        return;
    }
    struct ibv_recv_wr *bad;
    int error = requests == 0 ? EINVAL : ibv_post_recv(qp, address(requests), &bad);
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "ibv_post_recv", error);
    }
}

DISPATCHER(jint, getQpNum)(JNIEnv *env, jobject self, jlong handle) {
    (void)self;
    struct ibv_qp *qp = handle_pin(HANDLE_QP, handle);
    if (qp == NULL) {
        throw_no_object(env, QP);
        return -1;
    }
    jint number = (jint)qp->qp_num;
    handle_unpin(handle);
    return number;
}

DISPATCHER(jint, getContextFd)(JNIEnv *env, jobject self, jlong handle) {
    (void)self;
    struct ibv_context *context = handle_pin(HANDLE_CONTEXT, handle);
    if (context == NULL) {
        throw_no_object(env, CONTEXT);
        return -1;
    }
    jint fd = context->cmd_fd;
    handle_unpin(handle);
    return fd;
}

DISPATCHER(jint, getContextNumCompVectors)(JNIEnv *env, jobject self, jlong handle) {
    (void)self;
    struct ibv_context *context = handle_pin(HANDLE_CONTEXT, handle);
    if (context == NULL) {
        throw_no_object(env, CONTEXT);
        return -1;
    }
    jint vectors = context->num_comp_vectors;
    handle_unpin(handle);
    return vectors;
}

DISPATCHER(jint, getPdHandle)(JNIEnv *env, jobject self, jlong handle) {
    (void)self;
    struct ibv_pd *pd = handle_pin(HANDLE_PD, handle);
    if (pd == NULL) {
        throw_no_object(env, PD);
        return -1;
    }
    jint number = (jint)pd->handle;
    handle_unpin(handle);
    return number;
}
