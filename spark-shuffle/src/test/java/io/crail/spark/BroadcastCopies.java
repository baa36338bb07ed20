// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;

/** Broadcasts as tasks of another executor would get them. */
final class BroadcastCopies {
    private BroadcastCopies() {}

    /** A broadcast as it arrives with a task. */
    @SuppressWarnings({"unchecked", "BanSerializableRead"})
    static <T> Broadcast<T> copy(Broadcast<T> broadcast) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(broadcast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Broadcast<T>) in.readObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes this JVM forget the value, as if it never had it; what the driver notes remains. */
    static void forget(Broadcast<?> broadcast) {
        SparkEnv env = SparkEnv.get();
        env.blockManager().removeBroadcast(broadcast.id(), true);
        env.broadcastManager().cachedValues().clear();
    }

    /** A broadcast as it arrives in a JVM that does not have the value. */
    static <T> Broadcast<T> readAnew(Broadcast<T> broadcast) {
        forget(broadcast);
        return copy(broadcast);
    }
}
