// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.GrantCopies;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.MoveCopies;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What {@link MoveBatch} asks the namenode. Of the session of which it was made. Thread-safe. */
final class MoveCalls {
    private final ClientCore core;
    private final Caller caller;
    private final int incarnation;

    MoveCalls(ClientCore core, Caller caller) {
        this.core = core;
        this.caller = caller;
        this.incarnation = core.session().incarnation();
    }

    /** Blocks for copies, in their order; waits for the answer. */
    GrantCopies.Reply grant(int firstClass, int lastClass, List<GrantCopies.Copy> copies)
            throws CrailException {
        GrantCopies.Request request = new GrantCopies.Request(firstClass, lastClass, copies);
        GrantCopies.Reply reply =
                caller.call(
                        "ask for blocks in another storage class",
                        op -> call(op, request, GrantCopies.Reply::decode));
        check(reply.statuses(), copies.size());
        return reply;
    }

    CrailFuture<MoveCopies.Reply> swap(List<Move.Request> moves) {
        MoveCopies.Request request = new MoveCopies.Request(moves);
        return caller.begin(
                "move blocks to another storage class",
                op -> call(op, request, MoveCopies.Reply::decode));
    }

    /** Each has an answer. */
    static void check(int[] statuses, int expected) throws ProtocolException {
        if (statuses.length != expected) {
            throw new ProtocolException(
                    "the namenode answered " + statuses.length + " results for " + expected);
        }
    }

    @FunctionalInterface
    private interface Decoder<T> {
        T decode(WireReader control) throws CrailException;
    }

    private <T> CompletableFuture<T> call(
            Operation operation, Message request, Decoder<T> decoder) {
        return core.session()
                .call(operation, request, null, incarnation)
                .thenApply(
                        answer -> {
                            try {
                                return decoder.decode(answer.control());
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }

    /** What the code with which one of many was refused means. */
    static String reason(ErrorCode code) {
        return switch (code) {
            case OUT_OF_SPACE -> "none has a free block; delete something or add a server";
            case BUSY -> "none has a free block of that size now";
            case QUOTA_EXCEEDED -> "the quota of a directory above it is used up there";
            case LEASE_HELD -> "it is being written, or read beyond its end";
            case SERVER_LOST -> "the server of the copy has gone";
            case INVALID_ARGUMENT -> "it may use none of these";
            default -> "the namenode says " + code;
        };
    }
}
