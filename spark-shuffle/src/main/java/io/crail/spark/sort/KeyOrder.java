// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Puts the places of records in the order of their keys; records with equal keys stay in the order
 * in which they came. Belongs to the thread of the task.
 *
 * <p>Eight bytes of each key are looked at as a number, next to the place of its record, so that
 * moving them about leaves the records alone. A range is sorted by the first bits in which its
 * numbers differ, and no more of them than tell so many numbers apart: for random keys that is
 * three passes of counting, whatever the keys have in common at the beginning. What still looks
 * equal then is a range of its own, mostly of one record. A range of equal numbers goes on with the
 * next eight bytes of its keys. So each step looks at bits that the ones before did not, and there
 * are at most as many steps below each other as the key has bits / {@link #SPARE_BITS}.
 */
final class KeyOrder {
    /** What it takes to sort a record, besides its bytes. */
    static final int BYTES_PER_RECORD = 2 * (Long.BYTES + Integer.BYTES);

    /** Of those, what the order needs when it is made. */
    static final int BYTES_PER_PLACE = Integer.BYTES;

    private static final VarHandle NUMBER =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Ranges that are sorted by insertion. */
    private static final int SMALL = 24;

    /** More bits than are needed to count the records of a range, so that few look equal. */
    private static final int SPARE_BITS = 6;

    /** Of one pass; more buckets than this do not stay in the cache nearest to a core. */
    private static final int MAX_DIGIT_BITS = 10;

    private final RecordBlocks blocks;
    private final int keyLength;
    private final int recordLength;
    private long[] numbers;
    private int[] places;
    private long[] otherNumbers;
    private int[] otherPlaces;

    private KeyOrder(RecordBlocks blocks, int keyLength, int recordLength) {
        int records = blocks.records();
        this.blocks = blocks;
        this.keyLength = keyLength;
        this.recordLength = recordLength;
        this.numbers = new long[records];
        this.places = new int[records];
        this.otherNumbers = new long[records];
        this.otherPlaces = new int[records];
    }

    /** Places of all records in the order of their keys. */
    static int[] of(RecordBlocks blocks, int keyLength, int recordLength) {
        KeyOrder order = new KeyOrder(blocks, keyLength, recordLength);
        order.load();
        order.sort(0, order.places.length, 0);
        return order.places;
    }

    private void load() {
        int record = 0;
        for (int block = 0; block < blocks.count(); block++) {
            byte[] bytes = blocks.block(block);
            int count = blocks.recordsIn(block);
            int place = block << RecordBlocks.SLOT_BITS;
            for (int slot = 0; slot < count; slot++) {
                numbers[record] = number(bytes, slot * recordLength, keyLength);
                places[record] = place + slot;
                record++;
            }
        }
    }

    /** The first bytes as a number; those that are missing count as zero. */
    private static long number(byte[] bytes, int offset, int length) {
        if (length >= Long.BYTES) {
            return (long) NUMBER.get(bytes, offset);
        }
        long number = 0;
        for (int i = 0; i < length; i++) {
            number |= (bytes[offset + i] & 0xFFL) << (Long.SIZE - Byte.SIZE - Byte.SIZE * i);
        }
        return number;
    }

    /** Sorts a range whose keys are equal in the first bytes, and whose numbers are of the next. */
    private void sort(int from, int to, int equalBytes) {
        if (to - from <= SMALL) {
            insert(from, to, equalBytes + Long.BYTES);
            return;
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(difference(from, to));
        if (bits == 0) {
            sortByNextBytes(from, to, equalBytes + Long.BYTES);
            return;
        }
        int needed =
                Math.min(bits, Integer.SIZE - Integer.numberOfLeadingZeros(to - from) + SPARE_BITS);
        int shift = bits - needed;
        distribute(from, to, shift, needed);
        if (shift > 0 || keyLength > equalBytes + Long.BYTES) {
            sortRanges(from, to, shift, equalBytes);
        }
    }

    /** Bits in which not all numbers of a range are equal. */
    private long difference(int from, int to) {
        long first = numbers[from];
        long difference = 0;
        for (int i = from + 1; i < to; i++) {
            difference |= numbers[i] ^ first;
        }
        return difference;
    }

    private void sortByNextBytes(int from, int to, int equalBytes) {
        int left = keyLength - equalBytes;
        if (left <= 0) {
            return;
        }
        for (int i = from; i < to; i++) {
            numbers[i] = number(bytes(places[i]), offset(places[i]) + equalBytes, left);
        }
        sort(from, to, equalBytes);
    }

    /** Sorts each range of numbers that are equal but for their last bits. */
    private void sortRanges(int from, int to, int shift, int equalBytes) {
        int begin = from;
        while (begin < to) {
            long common = numbers[begin] >>> shift;
            int end = begin + 1;
            while (end < to && numbers[end] >>> shift == common) {
                end++;
            }
            if (end - begin > 1) {
                sort(begin, end, equalBytes);
            }
            begin = end;
        }
    }

    private byte[] bytes(int place) {
        return blocks.block(place >>> RecordBlocks.SLOT_BITS);
    }

    private int offset(int place) {
        return (place & RecordBlocks.SLOT_MASK) * recordLength;
    }

    private void insert(int from, int to, int compared) {
        for (int i = from + 1; i < to; i++) {
            long number = numbers[i];
            int place = places[i];
            int hole = i;
            while (hole > from && isLess(number, place, hole - 1, compared)) {
                numbers[hole] = numbers[hole - 1];
                places[hole] = places[hole - 1];
                hole--;
            }
            numbers[hole] = number;
            places[hole] = place;
        }
    }

    private boolean isLess(long number, int place, int other, int compared) {
        if (number != numbers[other]) {
            return Long.compareUnsigned(number, numbers[other]) < 0;
        }
        if (compared >= keyLength) {
            return false;
        }
        int left = offset(place);
        int right = offset(places[other]);
        return Arrays.compareUnsigned(
                        bytes(place),
                        left + compared,
                        left + keyLength,
                        bytes(places[other]),
                        right + compared,
                        right + keyLength)
                < 0;
    }

    /** Sorts a range by some bits of the numbers, from the last digit to the first. */
    private void distribute(int from, int to, int shift, int bits) {
        int passes = (bits + MAX_DIGIT_BITS - 1) / MAX_DIGIT_BITS;
        int digitBits = (bits + passes - 1) / passes;
        boolean swapped = false;
        for (int pass = 0; pass < passes; pass++) {
            int digit = Math.min(digitBits, bits - pass * digitBits);
            distributeByDigit(from, to, shift + pass * digitBits, (1 << digit) - 1);
            swap();
            swapped = !swapped;
        }
        if (swapped) {
            // The rest of the arrays is where it was.
            System.arraycopy(numbers, from, otherNumbers, from, to - from);
            System.arraycopy(places, from, otherPlaces, from, to - from);
            swap();
        }
    }

    private void distributeByDigit(int from, int to, int shift, int mask) {
        long[] source = numbers;
        int[] sourcePlaces = places;
        long[] target = otherNumbers;
        int[] targetPlaces = otherPlaces;
        int[] next = new int[mask + 1];
        for (int i = from; i < to; i++) {
            next[(int) (source[i] >>> shift) & mask]++;
        }
        int begin = from;
        for (int bucket = 0; bucket <= mask; bucket++) {
            int count = next[bucket];
            next[bucket] = begin;
            begin += count;
        }
        for (int i = from; i < to; i++) {
            long number = source[i];
            int at = next[(int) (number >>> shift) & mask]++;
            target[at] = number;
            targetPlaces[at] = sourcePlaces[i];
        }
    }

    private void swap() {
        long[] heldNumbers = numbers;
        numbers = otherNumbers;
        otherNumbers = heldNumbers;
        int[] heldPlaces = places;
        places = otherPlaces;
        otherPlaces = heldPlaces;
    }
}
