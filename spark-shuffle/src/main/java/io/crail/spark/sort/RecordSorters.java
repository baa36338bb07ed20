// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import io.crail.error.InvalidArgumentException;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.serializer.Serializer;

/** Which sorter an application wants, and for which of its shuffles it can be used. */
public final class RecordSorters {
    /** What an application sets so that Spark sorts everything. */
    public static final String SPARK = "spark";

    private RecordSorters() {}

    /**
     * The sorter of a name.
     *
     * @param name of a class, or {@link #SPARK}
     * @return empty if Spark shall sort
     * @throws InvalidArgumentException if there is no such class, or it is no sorter
     */
    public static Optional<RecordSorter> named(String name) throws InvalidArgumentException {
        if (name.equals(SPARK)) {
            return Optional.empty();
        }
        if (name.equals(ByteOrderSorter.class.getName())) {
            return Optional.of(new ByteOrderSorter());
        }
        try {
            // Jars of the application are known to the loader of the task's thread only.
            Class<?> found =
                    Class.forName(name, true, Thread.currentThread().getContextClassLoader());
            return Optional.of(
                    found.asSubclass(RecordSorter.class).getDeclaredConstructor().newInstance());
        } catch (InvocationTargetException e) {
            throw unusable(name, e.getTargetException());
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw unusable(name, e);
        }
    }

    private static InvalidArgumentException unusable(String name, Throwable cause) {
        return new InvalidArgumentException(
                "the sorter "
                        + name
                        + " cannot be used: "
                        + cause
                        + ". It must be a public class that implements "
                        + RecordSorter.class.getName()
                        + ", with a public constructor without parameters, in a jar of the"
                        + " application; \""
                        + SPARK
                        + "\" leaves sorting to Spark",
                cause);
    }

    /**
     * The format of the records of a shuffle, if they can be sorted by their bytes: it has an
     * order, that is the order of bytes, and records are not combined.
     */
    @SuppressWarnings("unchecked")
    public static <K, V> Optional<RecordFormat<K, V>> formatOf(
            ShuffleDependency<K, ?, V> dependency) {
        Serializer serializer = dependency.serializer();
        if (!(serializer instanceof FixedSizeSerializer<?, ?> fixed)
                || dependency.keyOrdering().isEmpty()
                || dependency.aggregator().isDefined()
                || !fixed.format().sortsAsBytes(dependency.keyOrdering().get())) {
            return Optional.empty();
        }
        return Optional.of((RecordFormat<K, V>) fixed.format());
    }
}
