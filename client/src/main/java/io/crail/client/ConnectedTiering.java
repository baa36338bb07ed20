// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.data.BlockMove;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.TierPlan;
import io.crail.protocol.message.TierSet;
import io.crail.protocol.message.TierStatus;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;

/** {@link CrailTiering} of a connected client. */
final class ConnectedTiering implements CrailTiering {
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
                        BlockMove.Target.classes(storageClass, storageClass),
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
    public CrailFuture<Boolean> move(TierPlan.Reply plan, int index) {
        Movable.Owner owner = plan.owners().get(index);
        Extent extent = plan.extents().get(index);
        BlockMove.Target target = BlockMove.Target.classes(plan.firstClass(), plan.lastClass());
        return caller.begin(
                "move a block of " + owner.path(),
                op -> new BlockMove(MovePass.way(core), op, owner, extent, target).start());
    }
}
