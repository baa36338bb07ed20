// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import io.crail.client.Value;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.TimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Fills all of a store that is free with values, so that whatever anybody else still writes into
 * memory that was freed is written into one of them. Not thread-safe.
 */
final class FullStore {
    static final int ROLE = 3;
    private static final String TABLE = "/full";
    private static final int[] SIZES = {1 << 20, 64 << 10, 4 << 10};

    /** So much may be free: what somebody has given back meanwhile. */
    private static final long CRUMBS = 64 << 10;

    private record Filling(byte[] key, long stamp, int length, boolean sure) {}

    private final CrailTable table;
    private final CrailClient writer;
    private final List<CrailTable> readers = new ArrayList<>();
    private final int round;
    private final List<Filling> fillings = new ArrayList<>();

    /**
     * @param readers clients to read by, one after the other; the first one fills, too
     */
    FullStore(List<CrailClient> readers, int round) throws CrailException {
        this.writer = readers.get(0);
        this.round = round;
        this.table = writer.createTable(TABLE).withDeadline(Duration.ofMillis(500));
        for (CrailClient each : readers) {
            this.readers.add(each.table(TABLE));
        }
    }

    private long free() throws CrailException {
        return writer.statistics().classes().get(0).free();
    }

    /** Fills what is free now, as far as it is not cut too small. */
    void fill() throws CrailException {
        for (int size : SIZES) {
            boolean more = true;
            while (more) {
                more = free() >= size && put(size);
            }
        }
    }

    /** Fills again and again until nothing is free any more. */
    void fillCompletely() throws CrailException {
        for (int i = 0; i < 100 && free() > CRUMBS; i++) {
            fill();
        }
        assertThat(free()).isLessThanOrEqualTo(CRUMBS);
    }

    private boolean put(int size) throws CrailException {
        int number = fillings.size();
        byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        long stamp = Stamped.stamp(round, ROLE, number);
        boolean done = false;
        try {
            table.put(key, Stamped.bytes(stamp, size));
            done = true;
        } catch (OutOfSpaceException | BusyException | TimeoutException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
        fillings.add(new Filling(key, stamp, size, done));
        return done;
    }

    /** Reads one value that was written, if there is any. */
    void checkAny(Random random) throws CrailException {
        if (!fillings.isEmpty()) {
            check(fillings.get(random.nextInt(fillings.size())));
        }
    }

    void checkAll() throws CrailException {
        for (Filling filling : fillings) {
            check(filling);
        }
    }

    private void check(Filling filling) throws CrailException {
        for (CrailTable reader : readers) {
            Optional<Value> value = reader.get(filling.key);
            if (filling.sure) {
                assertThat(value).isPresent();
            }
            if (value.isPresent()) {
                ByteBuffer bytes = value.get().bytes();
                assertThat(bytes.remaining()).isEqualTo(filling.length);
                Stamped.check("value", bytes, filling.stamp, 0);
            }
        }
    }

    void remove() throws CrailException {
        writer.delete(TABLE, true);
    }
}
