// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import java.io.Serializable;

/**
 * Where a value is, and all that is needed to read it.
 *
 * <p>Not a record, since broadcasts may be within records that Kryo copies field by field.
 */
final class StoredValue implements Serializable {
    private static final long serialVersionUID = 1;
    private static final int FIELDS = 4;

    private final String path;
    private final long length;
    private final int chunks;
    private final boolean javaObjects;

    /**
     * @param length bytes of all chunks, behind which the table is
     * @param javaObjects whether Java's serialisation was used, whatever the application's is
     */
    StoredValue(String path, long length, int chunks, boolean javaObjects) {
        this.path = path;
        this.length = length;
        this.chunks = chunks;
        this.javaObjects = javaObjects;
    }

    /** The same value in another file. */
    StoredValue at(String otherPath) {
        return new StoredValue(otherPath, length, chunks, javaObjects);
    }

    String path() {
        return path;
    }

    long length() {
        return length;
    }

    int chunks() {
        return chunks;
    }

    boolean javaObjects() {
        return javaObjects;
    }

    /**
     * As it is sent: strings only, since Spark looks for classes of messages where those of an
     * application's jars are not found.
     */
    String[] toMessage() {
        return new String[] {
            path, Long.toString(length), Integer.toString(chunks), Boolean.toString(javaObjects)
        };
    }

    /**
     * What was sent.
     *
     * @throws IllegalArgumentException if it is no such message
     */
    static StoredValue of(String[] message) {
        if (message.length != FIELDS) {
            throw new IllegalArgumentException(
                    "a message of " + message.length + " strings tells of no broadcast");
        }
        return new StoredValue(
                message[0],
                Long.parseLong(message[1]),
                Integer.parseInt(message[2]),
                Boolean.parseBoolean(message[3]));
    }
}
