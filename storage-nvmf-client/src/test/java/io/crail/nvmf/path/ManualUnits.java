// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Units in memory; each call ends when the test says so. For one thread. */
final class ManualUnits implements UnitIo {
    static final BlockReference BLOCK =
            new BlockReference(1, 0, 0, 1 << 20, 0, 0x1_0000_0001L, 0, BlockReference.WRITE);

    /** A call under way. */
    record Call(boolean isWrite, long position, Runnable end, Runnable fail) {}

    final List<Call> underWay = new ArrayList<>();
    final List<Long> written = new ArrayList<>();

    /** As after the end of a connection: calls fail before they return, and nothing is filled. */
    boolean closed;

    private final Map<Long, byte[]> medium = new HashMap<>();
    private final FlashLayout layout = FlashLayout.ofData(4 << 20);

    @Override
    public FlashLayout layout() {
        return layout;
    }

    ByteBuffer stored(long position) {
        return ByteBuffer.wrap(medium.computeIfAbsent(position, key -> new byte[4096]))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer copy(long position) {
        return ByteBuffer.wrap(stored(position).array().clone()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Ends the call that began first. */
    void endFirst() {
        underWay.remove(0).end().run();
    }

    void failFirst() {
        underWay.remove(0).fail().run();
    }

    void endAll() {
        while (!underWay.isEmpty()) {
            endFirst();
        }
    }

    @Override
    public void readUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> use,
            Consumer<@Nullable CrailException> ended) {
        if (closed) {
            ended.accept(new ServerLostException("lost"));
            return;
        }
        underWay.add(
                new Call(
                        false,
                        position,
                        () -> {
                            use.accept(copy(position));
                            ended.accept(null);
                        },
                        () -> ended.accept(new ServerLostException("lost"))));
    }

    @Override
    public void writeUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> fill,
            Consumer<@Nullable CrailException> ended) {
        if (closed) {
            ended.accept(new ServerLostException("lost"));
            return;
        }
        ByteBuffer unit = copy(position);
        fill.accept(unit);
        write(position, unit, ended);
    }

    private void write(long position, ByteBuffer unit, Consumer<@Nullable CrailException> ended) {
        underWay.add(
                new Call(
                        true,
                        position,
                        () -> {
                            byte[] bytes = new byte[unit.capacity()];
                            unit.get(0, bytes);
                            medium.put(position, bytes);
                            written.add(position);
                            ended.accept(null);
                        },
                        () -> ended.accept(new ServerLostException("lost"))));
    }

    @Override
    public void changeUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> change,
            Consumer<@Nullable CrailException> ended) {
        ByteBuffer unit = copy(position);
        readUnit(
                block,
                position,
                read -> {
                    unit.put(0, read, 0, 4096);
                    change.accept(unit);
                },
                cause -> {
                    if (cause == null) {
                        write(position, unit, ended);
                    } else {
                        ended.accept(cause);
                    }
                });
    }
}
