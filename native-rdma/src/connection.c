/* Copyright the crail authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Natives of connections, by librdmacm, whose functions may be called by any thread.
 *
 * An id has its own number for its context pointer: events bring it back. It owns its queue pair,
 * which has a number of its own and is destroyed with it at the latest. An event is acknowledged
 * before anybody hears of it, so that rdma_destroy_id, which waits for that, never waits for Java.
 */
#include <errno.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <string.h>

#include "handles.h"
#include "native.h"

static const char *const CHANNEL = "event channel";
static const char *const ID = "connection (cm id)";

DISPATCHER(jlong, createEventChannel)(JNIEnv *env, jobject self) {
    (void)self;
    struct rdma_event_channel *channel = rdma_create_event_channel();
    if (channel == NULL) {
        throw_error(env, "rdma_create_event_channel", errno);
        return -1;
    }
    int error = make_nonblocking(channel->fd);
    int64_t handle = error != 0 ? 0 : handle_new(HANDLE_CHANNEL, channel);
    if (handle == 0) {
        rdma_destroy_event_channel(channel);
        throw_error(env, "rdma_create_event_channel", error != 0 ? error : EMFILE);
        return -1;
    }
    return handle;
}

DISPATCHER(jint, destroyEventChannel)(JNIEnv *env, jobject self, jlong handle) {
    (void)env;
    (void)self;
    struct rdma_event_channel *channel = handle_close(HANDLE_CHANNEL, handle);
    if (channel == NULL) {
        return -1;
    }
    rdma_destroy_event_channel(channel);
    handle_closed(handle);
    return 0;
}

/* A number for an id, which its events bring back; 0 if there is none left. */
static int64_t name_id(struct rdma_cm_id *id) {
    int64_t handle = handle_new(HANDLE_ID, id);
    id->context = address(handle);
    return handle;
}

static int64_t number_of(const struct rdma_cm_id *id) {
    return id == NULL ? -1 : (int64_t)(uintptr_t)id->context;
}

DISPATCHER(jlong, createId)(JNIEnv *env, jobject self, jlong channel_handle, jshort port_space) {
    (void)self;
    (void)port_space;
    struct rdma_event_channel *channel = handle_pin(HANDLE_CHANNEL, channel_handle);
    if (channel == NULL) {
        throw_no_object(env, CHANNEL);
        return -1;
    }
    struct rdma_cm_id *id;
    int64_t handle = 0;
    int error = rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) == 0 ? 0 : errno;
    if (error == 0) {
        handle = name_id(id);
        if (handle == 0) {
            rdma_destroy_id(id);
            error = EMFILE;
        }
    }
    handle_unpin(channel_handle);
    if (error != 0) {
        throw_error(env, "rdma_create_id", error);
        return -1;
    }
    return handle;
}

/* Destroys the queue pair of an id that the caller has pinned or closed; false if it has none. */
static bool destroy_queue_pair(struct rdma_cm_id *id, int64_t id_handle) {
    int64_t owned = handle_swap_owned(id_handle, 0);
    if (owned == 0 || handle_close(HANDLE_QP, owned) == NULL) {
        return false;
    }
    rdma_destroy_qp(id);
    handle_closed(owned);
    return true;
}

DISPATCHER(jint, destroyCmId)(JNIEnv *env, jobject self, jlong handle) {
    (void)env;
    (void)self;
    struct rdma_cm_id *id = handle_close(HANDLE_ID, handle);
    if (id == NULL) {
        return -1;
    }
    destroy_queue_pair(id, handle);
    int result = rdma_destroy_id(id);
    /* It is freed whatever the kernel said. */
    handle_closed(handle);
    return result;
}

DISPATCHER(jint, destroyEp)(JNIEnv *env, jobject self, jlong handle) {
    (void)env;
    (void)self;
    struct rdma_cm_id *id = handle_close(HANDLE_ID, handle);
    if (id == NULL) {
        return -1;
    }
    destroy_queue_pair(id, handle);
    rdma_destroy_ep(id);
    handle_closed(handle);
    return 0;
}

static struct ibv_qp_init_attr queue_pair_attributes(struct ibv_cq *send, struct ibv_cq *receive,
                                                     jint type, jint sends, jint receives,
                                                     jint inline_bytes) {
    return (struct ibv_qp_init_attr){
        .send_cq = send,
        .recv_cq = receive,
        .qp_type = (enum ibv_qp_type)type,
        .cap = {.max_send_wr = (uint32_t)sends,
                .max_recv_wr = (uint32_t)receives,
                .max_send_sge = 4,
                .max_recv_sge = 4,
                .max_inline_data = (uint32_t)inline_bytes},
    };
}

/* Makes the queue pair of an id; an errno, or 0. All objects are pinned, or NULL. */
static int create_queue_pair(struct rdma_cm_id *id, int64_t id_handle, struct ibv_pd *pd,
                             struct ibv_qp_init_attr *attributes, int64_t *handle) {
    if (id->verbs == NULL || pd->context != id->verbs ||
        attributes->send_cq->context != id->verbs ||
        attributes->recv_cq->context != id->verbs) {
        return EINVAL; /* librdmacm would follow a null pointer, or leave it to the kernel */
    }
    if (rdma_create_qp(id, pd, attributes) != 0) {
        return errno;
    }
    *handle = handle_new(HANDLE_QP, id->qp);
    if (*handle == 0) {
        rdma_destroy_qp(id);
        return EMFILE;
    }
    handle_swap_owned(id_handle, *handle);
    return 0;
}

DISPATCHER(jlong, createQP)
(JNIEnv *env, jobject self, jlong id_handle, jlong pd_handle, jlong send_handle,
 jlong receive_handle, jint type, jint sends, jint receives, jint inline_bytes) {
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, id_handle);
    struct ibv_pd *pd = handle_pin(HANDLE_PD, pd_handle);
    struct ibv_cq *send = handle_pin(HANDLE_CQ, send_handle);
    struct ibv_cq *receive = handle_pin(HANDLE_CQ, receive_handle);
    int64_t handle = -1;
    if (id == NULL || pd == NULL || send == NULL || receive == NULL) {
        throw_no_object(env, "connection (cm id), protection domain or completion queue");
    } else {
        struct ibv_qp_init_attr attributes =
            queue_pair_attributes(send, receive, type, sends, receives, inline_bytes);
        int error = create_queue_pair(id, id_handle, pd, &attributes, &handle);
        if (error != 0) {
            handle = -1;
            throw_error(env, "rdma_create_qp", error);
        }
    }
    if (receive != NULL) {
        handle_unpin(receive_handle);
    }
    if (send != NULL) {
        handle_unpin(send_handle);
    }
    if (pd != NULL) {
        handle_unpin(pd_handle);
    }
    if (id != NULL) {
        handle_unpin(id_handle);
    }
    return handle;
}

DISPATCHER(jint, destroyQP)(JNIEnv *env, jobject self, jlong id_handle) {
    (void)env;
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, id_handle);
    if (id == NULL) {
        return -1;
    }
    bool destroyed = destroy_queue_pair(id, id_handle);
    handle_unpin(id_handle);
    return destroyed ? 0 : -1;
}

DISPATCHER(void, bindAddr)(JNIEnv *env, jobject self, jlong handle, jlong own) {
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        throw_no_object(env, ID);
        return;
    }
    int error = own == 0                                   ? EINVAL
                : rdma_bind_addr(id, address(own)) == 0 ? 0
                                                           : errno;
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "rdma_bind_addr", error);
    }
}

DISPATCHER(void, listen)(JNIEnv *env, jobject self, jlong handle, jint backlog) {
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        throw_no_object(env, ID);
        return;
    }
    int error = rdma_listen(id, backlog) == 0 ? 0 : errno;
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "rdma_listen", error);
    }
}

DISPATCHER(void, resolveAddr)
(JNIEnv *env, jobject self, jlong handle, jlong own, jlong peer, jint timeout_millis) {
    (void)self;
    (void)own; /* Java never gives one */
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        throw_no_object(env, ID);
        return;
    }
    int error = peer == 0                                                          ? EINVAL
                : rdma_resolve_addr(id, NULL, address(peer), timeout_millis) == 0 ? 0
                                                                                   : errno;
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "rdma_resolve_addr", error);
    }
}

DISPATCHER(void, resolveRoute)(JNIEnv *env, jobject self, jlong handle, jint timeout_millis) {
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        throw_no_object(env, ID);
        return;
    }
    int error = rdma_resolve_route(id, timeout_millis) == 0 ? 0 : errno;
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "rdma_resolve_route", error);
    }
}

/* Takes one event of a pinned channel; its type, or -1 if there is none that Java can be told. */
static jint take_event(struct rdma_event_channel *channel, jlong *listener, jlong *client) {
    struct rdma_cm_event *event;
    if (rdma_get_cm_event(channel, &event) != 0) {
        return -1;
    }
    jint type = (jint)event->event;
    struct rdma_cm_id *refused = NULL;
    if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST && name_id(event->id) == 0) {
        /* A new id has the context of its listener, and there is no number left for it. */
        refused = event->id;
        type = -1;
    }
    *listener = number_of(event->listen_id);
    *client = number_of(event->id);
    rdma_ack_cm_event(event);
    if (refused != NULL) {
        rdma_reject(refused, NULL, 0);
        rdma_destroy_id(refused);
    }
    return type;
}

DISPATCHER(jint, getCmEvent)
(JNIEnv *env, jobject self, jlong handle, jlong listener_address, jlong client_address,
 jint timeout_millis) {
    (void)env;
    (void)self;
    if (listener_address == 0 || client_address == 0) {
        return -1;
    }
    struct rdma_event_channel *channel = handle_pin(HANDLE_CHANNEL, handle);
    if (channel == NULL) {
        return -1;
    }
    jint type = -1;
    if (await_readable(handle, channel->fd, timeout_millis)) {
        jlong listener = -1;
        jlong client = -1;
        type = take_event(channel, &listener, &client);
        memcpy(address(listener_address), &listener, sizeof listener);
        memcpy(address(client_address), &client, sizeof client);
    }
    handle_unpin(handle);
    return type;
}

/* What both ends of a connection are made with; an errno, or 0. */
static int connection_parameters(struct rdma_cm_id *id, jint retries, jint receiver_retries,
                                 struct rdma_conn_param *parameters) {
    struct ibv_device_attr device;
    if (id->verbs == NULL) {
        return EINVAL; /* no address was resolved, so there is no device */
    }
    int error = ibv_query_device(id->verbs, &device);
    if (error != 0) {
        return error;
    }
    int reads = device.max_qp_rd_atom > UINT8_MAX ? UINT8_MAX : device.max_qp_rd_atom;
    *parameters = (struct rdma_conn_param){
        .responder_resources = (uint8_t)reads,
        .initiator_depth = (uint8_t)reads,
        .retry_count = (uint8_t)retries,
        .rnr_retry_count = (uint8_t)receiver_retries,
    };
    return 0;
}

DISPATCHER(void, connect)
(JNIEnv *env, jobject self, jlong handle, jint retries, jint receiver_retries, jlong data,
 jbyte data_length) {
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        throw_no_object(env, ID);
        return;
    }
    struct rdma_conn_param parameters;
    int error = connection_parameters(id, retries, receiver_retries, &parameters);
    if (error == 0) {
        parameters.private_data = address(data);
        parameters.private_data_len = data == 0 ? 0 : (uint8_t)data_length;
        error = rdma_connect(id, &parameters) == 0 ? 0 : errno;
    }
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "rdma_connect", error);
    }
}

DISPATCHER(void, accept)
(JNIEnv *env, jobject self, jlong handle, jint retries, jint receiver_retries) {
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        throw_no_object(env, ID);
        return;
    }
    struct rdma_conn_param parameters;
    int error = connection_parameters(id, retries, receiver_retries, &parameters);
    if (error == 0) {
        error = rdma_accept(id, &parameters) == 0 ? 0 : errno;
    }
    handle_unpin(handle);
    if (error != 0) {
        throw_error(env, "rdma_accept", error);
    }
}

/* Events are acknowledged when they are taken. */
DISPATCHER(jint, ackCmEvent)(JNIEnv *env, jobject self, jint type) {
    (void)env;
    (void)self;
    (void)type;
    return 0;
}

DISPATCHER(jint, disconnect)(JNIEnv *env, jobject self, jlong handle) {
    (void)env;
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        return -1;
    }
    int result = rdma_disconnect(id);
    handle_unpin(handle);
    return result;
}

/* Copies an address of IPv4, or as much of another one as there is room for. */
static jint copy_address(const struct sockaddr *from, jlong to) {
    if (from == NULL || to == 0) {
        return -1;
    }
    memcpy(address(to), from, sizeof(struct sockaddr_in));
    return 0;
}

DISPATCHER(jint, getSrcAddr)(JNIEnv *env, jobject self, jlong handle, jlong to) {
    (void)env;
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        return -1;
    }
    jint result = copy_address(rdma_get_local_addr(id), to);
    handle_unpin(handle);
    return result;
}

DISPATCHER(jint, getDstAddr)(JNIEnv *env, jobject self, jlong handle, jlong to) {
    (void)env;
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        return -1;
    }
    jint result = copy_address(rdma_get_peer_addr(id), to);
    handle_unpin(handle);
    return result;
}

DISPATCHER(jlong, getContext)(JNIEnv *env, jobject self, jlong handle) {
    (void)self;
    struct rdma_cm_id *id = handle_pin(HANDLE_ID, handle);
    if (id == NULL) {
        throw_no_object(env, ID);
        return -1;
    }
    int64_t context = id->verbs == NULL ? -1 : handle_of_context(id->verbs);
    handle_unpin(handle);
    if (context == 0) {
        throw_error(env, "the device of a connection", EMFILE);
        return -1;
    }
    return context;
}
