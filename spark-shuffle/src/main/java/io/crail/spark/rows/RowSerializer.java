// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.rows;

import java.lang.reflect.Field;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of Spark's {@code UnsafeRowSerializer}, whose bytes it makes and reads: for each
 * row its length as 32 bits, big-endian, and the row as it is in memory. Thread-safe.
 *
 * <p>Spark's streams collect rows in buffers of their own. Here each row of a shuffle goes to a
 * stream of its partition, so that these would be flushed row by row: one more copy and half a
 * dozen locks for each row of a hundred bytes.
 */
public final class RowSerializer extends Serializer {
    private static final String OF_SPARK = "org.apache.spark.sql.execution.UnsafeRowSerializer";

    private final int fields;
    private final @Nullable SQLMetric dataSize;

    /**
     * For rows of so many fields.
     *
     * @param dataSize counts the bytes of the rows that are written
     */
    RowSerializer(int fields, @Nullable SQLMetric dataSize) {
        this.fields = fields;
        this.dataSize = dataSize;
    }

    /** The one that takes the place of a serialiser, if that is one of rows; else itself. */
    public static Serializer insteadOf(Serializer serializer) {
        if (!serializer.getClass().getName().equals(OF_SPARK)) {
            return serializer;
        }
        try {
            return new RowSerializer(
                    (int) valueOf(serializer, "numFields"),
                    (SQLMetric) valueOf(serializer, "dataSize"));
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Another Spark keeps them under other names: its own streams do, only slower.
            return serializer;
        }
    }

    private static Object valueOf(Serializer serializer, String field)
            throws ReflectiveOperationException {
        Field found = serializer.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(serializer);
    }

    @Override
    public SerializerInstance newInstance() {
        return new RowInstance(fields, dataSize);
    }

    @Override
    public boolean supportsRelocationOfSerializedObjects() {
        return true;
    }
}
