// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.Command;
import io.crail.nvmf.wire.command.DataDirection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlotTest {
    private static final long DEADLINE = TimeUnit.SECONDS.toNanos(1);

    /** A command that nobody executes. */
    private static final class Idle extends Command {
        Idle(int bytes) {
            super(DataDirection.HOST_TO_CONTROLLER, ByteBuffer.allocateDirect(bytes));
        }

        @Override
        public String what() {
            return "nothing";
        }

        @Override
        protected void encode(ByteBuffer buffer, int at, int commandId) {}

        @Override
        protected void completed(long result, int status) {}

        @Override
        protected void failed(NvmeException cause, boolean mayHaveRun) {}
    }

    @Test
    void identifierOfEachTurnIsAnother() {
        Slot slot = new Slot(5);
        Command command = new Idle(512);
        slot.take(command, 0, DEADLINE);
        int first = slot.commandId();
        assertThat(Slot.numberOf(first)).isEqualTo(5);
        assertThat(slot.leave()).isSameAs(command);
        slot.take(command, 0, DEADLINE);
        assertThat(slot.commandId()).isNotEqualTo(first);
        assertThat(Slot.numberOf(slot.commandId())).isEqualTo(5);
        slot.leave();
        assertThatThrownBy(slot::leave).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void commandGetsASlotOnlyWithRoomForItsData() {
        SlotTable slots = new SlotTable(3, 2 * DataArea.UNIT);
        assertThat(slots.take(new Idle(DataArea.UNIT), DEADLINE)).isNotNull();
        assertThat(slots.take(new Idle(2 * DataArea.UNIT), DEADLINE)).isNull();
        assertThat(slots.taken()).isEqualTo(1);
        assertThat(slots.take(new Idle(DataArea.UNIT), DEADLINE)).isNotNull();
        assertThat(slots.take(new Idle(512), DEADLINE)).isNull();
        assertThat(slots.taken()).isEqualTo(2);
    }

    @Test
    void requestForAConnectionNamesQueueAndSizes() {
        ByteBuffer buffer = ByteBuffer.allocate(ConnectRequest.SIZE + 1);
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) 'x');
        }
        ConnectRequest.encode(buffer, 0, 0x0102, 128, 127);
        byte[] content = buffer.array();
        // Record format, queue, receives, sends from zero, then zeros.
        assertThat(HexFormat.of().formatHex(content, 0, 8)).isEqualTo("00000201" + "80007e00");
        assertThat(HexFormat.of().formatHex(content, 8, 32)).isEqualTo("00".repeat(24));
        assertThat(new String(content, 32, 1, StandardCharsets.US_ASCII)).isEqualTo("x");
    }
}
