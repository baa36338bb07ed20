// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Long lists, and what a snapshot sees of them. */
final class ExtentListTest {
    private static final int BLOCK = 4096;
    private static final int PART = ExtentList.PART;

    private static ExtentList list(int count) {
        ExtentList list = new ExtentList();
        append(list, count);
        return list;
    }

    private static void append(ExtentList list, int count) {
        for (int i = 0; i < count; i++) {
            int number = list.count();
            list.append(1, 2, number, BLOCK, 1000 + number, BLOCK - 1, number);
        }
    }

    private static ByteBuffer encoded(ExtentList list, int first, int end) {
        WireWriter writer = new WireWriter(1 << 10, 1 << 22);
        list.encode(writer, first, end);
        return writer.buffer().duplicate().flip();
    }

    @Test
    void everyExtentIsFoundWhateverTheLength() {
        for (int count = 0; count < 3 * PART; count = count * 2 + 1) {
            ExtentList list = list(count);
            assertThat(list.count()).isEqualTo(count);
            assertThat(list.length()).isEqualTo((long) count * (BLOCK - 1));
            assertThat(list.allocated()).isEqualTo((long) count * BLOCK);
            for (int i = 0; i < count; i++) {
                assertThat(list.find(list.offset(i))).isEqualTo(i);
                assertThat(list.record(i)).isEqualTo(i);
                assertThat(list.generation(i)).isEqualTo(1000 + i);
            }
            assertThat(list.find(list.length())).isEqualTo(count);
        }
    }

    @Test
    void roomForSomeExtentsIsNoBound() {
        for (int expected : new int[] {0, 1, 3, PART, 2 * PART}) {
            ExtentList list = new ExtentList(expected);
            assertThat(list.count()).isZero();
            append(list, expected + 1);
            assertThat(encoded(list, 0, expected + 1))
                    .isEqualTo(encoded(list(expected + 1), 0, expected + 1));
        }
    }

    @Test
    void aFrozenListKeepsWholePiecesWhateverHappensToItsOrigin() {
        ExtentList list = list(2 * PART + 5);
        ByteBuffer before = encoded(list, 0, 2 * PART);
        ExtentList frozen = list.frozen();
        list.replace(0, new BlockId(7, 8, 9), 2 * BLOCK, 1);
        list.replace(PART, new BlockId(7, 8, 9), 2 * BLOCK, 1);
        list.growLast(BLOCK, 0);
        append(list, 3 * PART);
        list.replace(PART + 1, new BlockId(7, 8, 9), BLOCK, 1);
        while (list.count() > 0) {
            list.removeLast();
        }
        assertThat(encoded(frozen, 0, 2 * PART)).isEqualTo(before);
        assertThatThrownBy(() -> append(frozen, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aListThatWasCutGrowsWithoutChangingAFrozenOne() {
        for (int kept : new int[] {0, 1, PART - 1, PART, PART + 1, 2 * PART}) {
            ExtentList list = list(3 * PART + 5);
            ByteBuffer before = encoded(list, 0, 3 * PART);
            ExtentList frozen = list.frozen();
            list.truncate(kept);
            assertThat(list.count()).isEqualTo(kept);
            assertThat(list.allocated()).isEqualTo((long) kept * BLOCK);
            assertThat(encoded(list, 0, kept)).isEqualTo(encoded(list(kept), 0, kept));
            if (kept > 0) {
                list.cutLast(5, 6);
                assertThat(list.length()).isEqualTo((kept - 1) * (BLOCK - 1L) + 5);
                list.growLast(BLOCK - 1, kept - 1);
            }
            append(list, 2 * PART);
            assertThat(encoded(list, 0, list.count()))
                    .isEqualTo(encoded(list(list.count()), 0, list.count()));
            assertThat(encoded(frozen, 0, 3 * PART)).isEqualTo(before);
        }
    }

    @Test
    void piecesPutTogetherAreTheListAgain() throws ProtocolException {
        ExtentList list = list(2 * PART + 5);
        list.replace(3, new BlockId(7, 8, 9), 2 * BLOCK, 1);
        ExtentList again = new ExtentList();
        for (int first = 0; first < list.count(); first += PART) {
            int end = Math.min(list.count(), first + PART);
            again.decode(new WireReader(encoded(list, first, end)));
        }
        assertThat(encoded(again, 0, again.count())).isEqualTo(encoded(list, 0, list.count()));
        assertThat(again.allocated()).isEqualTo(list.allocated());
        assertThat(again.length()).isEqualTo(list.length());
    }

    @Test
    void takingAwayStopsAtNothingAndEndsAppending() {
        ExtentList list = list(PART + 1);
        list.removeLast();
        assertThat(list.count()).isEqualTo(PART);
        assertThat(list.allocated()).isEqualTo((long) PART * BLOCK);
        assertThat(list.length()).isEqualTo((long) PART * (BLOCK - 1));
        assertThatThrownBy(() -> append(list, 1)).isInstanceOf(IllegalStateException.class);
    }
}
