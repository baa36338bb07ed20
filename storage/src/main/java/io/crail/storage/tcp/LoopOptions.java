// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

/**
 * The event loops of a data service.
 *
 * @param transport auto, nio, epoll or io_uring
 * @param threads number of loops, 0 = one per processor
 * @param busyPoll whether a loop looks for requests before it sleeps, while that pays; the kernel
 *     does so or not for io_uring
 */
public record LoopOptions(String transport, int threads, boolean busyPoll) {}
