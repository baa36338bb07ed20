// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.client.StreamRecord;
import io.crail.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * A record of 100 bytes: its number, when it was appended, and bytes that follow from the number.
 * The time is the kernel's monotonic clock, which all processes of a machine share.
 */
final class TimedRecord {
    static final int LENGTH = 100;

    private static final int HEADER = 2 * Long.BYTES;

    private TimedRecord() {}

    static ByteBuffer of(long number) {
        ByteBuffer record = ByteBuffer.allocate(LENGTH);
        record.putLong(0, number).put(HEADER, filler(number));
        return record.putLong(Long.BYTES, System.nanoTime());
    }

    /**
     * Checks that a record of a stream is the one that belongs there, complete.
     *
     * @return when it was appended
     */
    static long check(StreamRecord record, long number) throws CorruptDataException {
        ByteBuffer bytes = record.bytes();
        boolean right =
                record.offset() == number
                        && bytes.remaining() == LENGTH
                        && bytes.getLong(bytes.position()) == number
                        && ByteBuffer.wrap(filler(number))
                                .equals(bytes.slice(bytes.position() + HEADER, LENGTH - HEADER));
        if (!right) {
            throw new CorruptDataException(
                    "record "
                            + number
                            + " is expected, and another one came at "
                            + record.offset());
        }
        return bytes.getLong(bytes.position() + Long.BYTES);
    }

    private static byte[] filler(long number) {
        byte[] filler = new byte[LENGTH - HEADER];
        new SplittableRandom(number).nextBytes(filler);
        return filler;
    }
}
