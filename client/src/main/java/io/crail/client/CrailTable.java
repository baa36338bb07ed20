// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A TABLE: opaque keys of 1..1,024 bytes, values from 0 bytes to many blocks. Thread-safe; needs no
 * closing. A put swaps the whole value in; of concurrent puts the last one wins, never a mix.
 *
 * <p>Keys are not touched after the call returns, synchronous or not; a value belongs to the client
 * until the call returns or its future is done. Positions of buffers handed in do not move, except
 * that of the target of {@link #getInto}.
 */
public interface CrailTable {
    /** Path of the table. */
    String path();

    /** Puts a value; returns its version. */
    default long put(byte[] key, byte[] value) throws CrailException {
        return put(key, ByteBuffer.wrap(value), PutOptions.DEFAULT);
    }

    default long put(byte[] key, ByteBuffer value) throws CrailException {
        return put(key, value, PutOptions.DEFAULT);
    }

    default long put(ByteBuffer key, ByteBuffer value) throws CrailException {
        return put(bytes(key), value, PutOptions.DEFAULT);
    }

    /**
     * Puts a value; returns its version.
     *
     * @throws io.crail.error.ConditionFailedException if the condition of the options is not met
     */
    long put(byte[] key, ByteBuffer value, PutOptions options) throws CrailException;

    CrailFuture<Long> putAsync(byte[] key, ByteBuffer value, PutOptions options);

    default CrailFuture<Long> putAsync(byte[] key, ByteBuffer value) {
        return putAsync(key, value, PutOptions.DEFAULT);
    }

    /** Puts if the key has no value; returns the version, or empty if it has one. */
    Optional<Long> putIfAbsent(byte[] key, ByteBuffer value) throws CrailException;

    /** Puts if the key's value has that version; returns the new one, or empty if it has not. */
    Optional<Long> putIfVersion(byte[] key, ByteBuffer value, long version) throws CrailException;

    /** The value of a key, empty if there is none. */
    Optional<Value> get(byte[] key) throws CrailException;

    default Optional<Value> get(ByteBuffer key) throws CrailException {
        return get(bytes(key));
    }

    CrailFuture<Optional<Value>> getAsync(byte[] key);

    /**
     * Reads the value of a key into a buffer; its position moves behind the value.
     *
     * @return length of the value, -1 if there is none
     * @throws io.crail.error.InvalidArgumentException if the buffer is too small; it names the size
     */
    long getInto(byte[] key, ByteBuffer target) throws CrailException;

    CrailFuture<Long> getIntoAsync(byte[] key, ByteBuffer target);

    /**
     * Opens the value of a key to be looked at in place, empty if there is none; see {@link
     * CrailView}, which the caller closes. It stays as it is when the value is replaced. Small
     * values, which the namenode keeps, come as a copy.
     *
     * @throws io.crail.error.BusyException if open views hold too many blocks already
     */
    Optional<CrailView> getView(byte[] key) throws CrailException;

    /** Removes a key; returns whether it had a value. */
    boolean remove(byte[] key) throws CrailException;

    CrailFuture<Boolean> removeAsync(byte[] key);

    /**
     * Removes a key if its value has that version.
     *
     * @throws io.crail.error.ConditionFailedException if it has another
     */
    boolean removeIfVersion(byte[] key, long version) throws CrailException;

    /**
     * The values of many keys, each looked up by itself: together they are no snapshot. Small
     * values take one round trip for a thousand of them; larger ones are read in parallel. All
     * values are in memory when this returns.
     *
     * @return what was found under each key, in the order of the keys
     * @throws CrailException if a request as a whole fails: the table does not exist, the namenode
     *     cannot be reached, time is over
     */
    List<GetResult> multiGet(Collection<byte[]> keys) throws CrailException;

    CrailFuture<List<GetResult>> multiGetAsync(Collection<byte[]> keys);

    /**
     * Puts many values, each by itself: some may be put and others not, and readers may see some
     * before others. Small values take one round trip for a thousand of them; larger ones are
     * written in parallel. If a key is given more than once, any of its values may be the last.
     *
     * @return what became of each entry, in their order
     * @throws CrailException if a request as a whole fails: the table does not exist, the namenode
     *     cannot be reached, time is over. Which values were put is unknown then
     */
    List<PutResult> multiPut(Collection<PutEntry> entries) throws CrailException;

    CrailFuture<List<PutResult>> multiPutAsync(Collection<PutEntry> entries);

    /** All keys in order of unsigned bytes, with small values if {@code values}. */
    default CrailIterator<TableEntry> scan(boolean values) throws CrailException {
        return scan(new byte[0], values);
    }

    /**
     * The keys behind a cursor.
     *
     * @param after last key seen; empty = from the start
     * @param values whether small values shall come along
     */
    CrailIterator<TableEntry> scan(byte[] after, boolean values) throws CrailException;

    /** A view of this table whose calls have another deadline. */
    CrailTable withDeadline(Duration deadline);

    private static byte[] bytes(ByteBuffer key) {
        byte[] copy = new byte[key.remaining()];
        key.duplicate().get(copy);
        return copy;
    }
}
