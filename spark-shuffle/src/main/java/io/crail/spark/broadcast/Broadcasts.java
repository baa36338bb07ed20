// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.StoreLease;
import java.lang.reflect.Field;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.BroadcastFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches the broadcasts of an application to crail. On the driver only: executors get objects
 * that read their values by themselves. Thread-safe.
 */
public final class Broadcasts {
    private static final Logger LOG = LoggerFactory.getLogger(Broadcasts.class);

    /** Where Spark's broadcast manager has its factory, which it has no setting for. */
    private static final String FACTORY = "broadcastFactory";

    private final CrailBroadcastFactory factory;

    private Broadcasts(CrailBroadcastFactory factory) {
        this.factory = factory;
    }

    /**
     * Takes over from now on, unless this Spark is made otherwise: then it says so, and broadcasts
     * remain Spark's.
     *
     * @param env of the driver, whose application has begun
     * @param minSize bytes of a serialised value from which on it goes to crail
     */
    public static Optional<Broadcasts> begin(SparkEnv env, long minSize) throws CrailException {
        FactoryField field = FactoryField.of(env.broadcastManager(), FACTORY).orElse(null);
        if (field == null) {
            LOG.warn(
                    "Broadcasts do not use crail: this Spark has no field {} in {}.",
                    FACTORY,
                    env.broadcastManager().getClass().getName());
            return Optional.empty();
        }
        StoreLease lease = ApplicationStores.OF_THIS_JVM.join(env.conf());
        CrailBroadcastFactory factory =
                new CrailBroadcastFactory(env, field.present(), lease, minSize);
        boolean replaced = false;
        try {
            replaced = field.replace(factory);
        } finally {
            if (!replaced) {
                lease.close();
            }
        }
        if (!replaced) {
            return Optional.empty();
        }
        Broadcasts broadcasts = new Broadcasts(factory);
        DriverLink.OF_THIS_JVM.set(broadcasts::answer);
        return Optional.of(broadcasts);
    }

    /**
     * Answers a task that could not read a value.
     *
     * @throws IllegalArgumentException if the message is none of a task
     */
    public Object answer(String[] message) {
        DriverLink.Lost lost = DriverLink.Lost.of(message);
        StoredValue stored = factory.writeAgain(lost.broadcast(), lost.path());
        return stored == null ? new String[0] : stored.toMessage();
    }

    /** Says how tasks of this JVM ask the driver; null: not any more. */
    public static void driver(@Nullable Function<String[], Object> asks) {
        DriverLink.OF_THIS_JVM.set(asks);
    }

    /**
     * The field of the factory.
     *
     * @param owner object that it belongs to
     */
    record FactoryField(Object owner, Field field, BroadcastFactory present) {
        /** Of an object, nothing if it is made otherwise. */
        static Optional<FactoryField> of(Object owner, String name) {
            try {
                Field field = owner.getClass().getDeclaredField(name);
                field.setAccessible(true);
                return field.get(owner) instanceof BroadcastFactory present
                        ? Optional.of(new FactoryField(owner, field, present))
                        : Optional.empty();
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.debug("field {}", name, e);
                return Optional.empty();
            }
        }

        boolean replace(BroadcastFactory factory) {
            try {
                field.set(owner, factory);
                return true;
            } catch (IllegalAccessException e) {
                LOG.warn("Broadcasts do not use crail: {} cannot be set: {}", field, e.toString());
                return false;
            }
        }
    }
}
