// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.TierPlan;
import io.crail.protocol.message.TierSet;
import io.crail.protocol.message.TierStatus;
import io.crail.protocol.node.Xattrs;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;

/** {@link CrailTiering} of a connected client. */
final class ConnectedTiering implements CrailTiering {
    private static final byte[] NO_VALUE = {};

    private final ClientCore core;
    private final Caller caller;

    ConnectedTiering(ClientCore core, Caller caller) {
        this.core = core;
        this.caller = caller;
    }

    /** Decodes an answer. */
    @FunctionalInterface
    private interface Decoder<T> {
        T decode(WireReader control) throws CrailException;
    }

    private <T> T call(String what, Message request, Decoder<T> decoder) throws CrailException {
        return caller.call(
                what,
                op ->
                        core.session()
                                .call(op, request)
                                .thenApply(
                                        answer -> {
                                            try {
                                                return decoder.decode(answer.control());
                                            } catch (CrailException e) {
                                                throw new CompletionException(e);
                                            }
                                        }));
    }

    @Override
    public TierStatus.Reply status() throws CrailException {
        return call(
                "ask for the state of the storage classes",
                new TierStatus.Request(),
                TierStatus.Reply::decode);
    }

    @Override
    public void pause(boolean paused) throws CrailException {
        set(new TierSet.Request(TierSet.PAUSED, paused, 0, 0, 0));
    }

    @Override
    public void setMarks(int high, int low) throws CrailException {
        if (Math.min(high, low) < 0 || Math.max(high, low) > 100) {
            throw new InvalidArgumentException(
                    "water marks of " + high + " % and " + low + " %: they are 0 to 100");
        }
        set(new TierSet.Request(TierSet.MARKS, false, high, low, 0));
    }

    @Override
    public void setRate(long bytesPerSecond) throws CrailException {
        set(new TierSet.Request(TierSet.RATE, false, 0, 0, bytesPerSecond));
    }

    private void set(TierSet.Request request) throws CrailException {
        call("steer what moves between storage classes", request, TierSet.Reply::decode);
    }

    @Override
    public void pin(String path, boolean pinned) throws CrailException {
        Xattributes attributes = new Xattributes(core);
        caller.call(
                (pinned ? "pin " : "unpin ") + path,
                op ->
                        pinned
                                ? attributes.set(op, path, Xattrs.PINNED, NO_VALUE)
                                : attributes.remove(op, path, Xattrs.PINNED));
    }

    @Override
    public Relocation relocate(String path, int storageClass, CrailAdmin.Progress progress)
            throws CrailException {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        MovePass pass =
                new MovePass(
                        core,
                        caller,
                        cursor ->
                                new Movable.Request(
                                        0,
                                        cursor,
                                        ProtocolLimits.MAX_REFERENCES,
                                        bytes,
                                        storageClass),
                        (owners, extents, moves) ->
                                new MoveBatch(
                                                core,
                                                caller,
                                                owners,
                                                extents,
                                                storageClass,
                                                storageClass,
                                                moves)
                                        .run(MovePass.WINDOW),
                        "what lies below " + path,
                        progress);
        pass.run();
        if (pass.isStuck()) {
            throw new BusyException(
                    "what lies below "
                            + path
                            + " cannot be moved to storage class "
                            + storageClass
                            + " now: "
                            + pass.failure());
        }
        return new Relocation(
                pass.blocks(),
                pass.bytes(),
                pass.busy(),
                pass.pinned(),
                pass.failed(),
                pass.failure());
    }

    @Override
    public TierPlan.Reply plan(int server, int bytes) throws CrailException {
        return call(
                "ask what to move to another storage class",
                new TierPlan.Request(server, bytes),
                TierPlan.Reply::decode);
    }

    @Override
    public void move(TierPlan.Reply plan, long window, Moves moves)
            throws CrailException, InterruptedException {
        new MoveBatch(
                        core,
                        caller,
                        plan.owners(),
                        plan.extents(),
                        plan.firstClass(),
                        plan.lastClass(),
                        moves)
                .run(window);
    }
}
