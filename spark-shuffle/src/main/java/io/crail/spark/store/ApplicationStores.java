// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.spark.config.CrailSettings;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;

/**
 * The stores of this JVM, one for an application, counted. Spark makes the plug-in, the shuffle
 * manager and the driver components apart from each other, so they meet here. Thread-safe.
 *
 * <p>Nobody connects while he holds the monitor: who wants to leave must not wait for a cluster
 * that does not answer. If two connect for the same application at a time, the second one to come
 * back takes the store of the first.
 */
public final class ApplicationStores {
    /** Those of this JVM. */
    public static final ApplicationStores OF_THIS_JVM = new ApplicationStores();

    private static final int NAME_LENGTH = 60;

    /** A store and how many use it; belongs to the monitor of the stores. */
    private static final class Shared {
        private final ApplicationStore store;
        private int users;

        Shared(ApplicationStore store) {
            this.store = store;
        }
    }

    private final Map<String, Shared> byDirectory = new HashMap<>();

    ApplicationStores() {}

    /**
     * Begins an application: connects, makes its directory, and tells the executors of it by the
     * configuration.
     *
     * @param conf the configuration of the driver, which is changed
     * @throws CrailException if a setting is wrong or the cluster cannot be reached
     */
    public StoreLease begin(SparkConf conf, CrailSettings settings, RandomGenerator random)
            throws CrailException {
        String name = name(conf.get("spark.app.name", ""), random);
        String directory = settings.directory() + "/" + name;
        CrailClient client = CrailClient.connect(settings.client());
        boolean begun = false;
        try {
            DirectoryLife life = life(client, settings, directory, true);
            life.begin();
            CrailSettings.setApplicationDirectory(conf, directory);
            StoreLease lease = register(open(client, settings, directory, life));
            begun = lease.store().client() == client;
            return lease;
        } finally {
            if (!begun) {
                client.close();
            }
        }
    }

    private static DirectoryLife life(
            CrailClient client, CrailSettings settings, String directory, boolean isDriver) {
        return new DirectoryLife(
                client,
                directory,
                settings.client().sessionTimeout(),
                settings.storageClass(),
                isDriver);
    }

    private static ApplicationStore open(
            CrailClient client, CrailSettings settings, String directory, DirectoryLife life)
            throws CrailException {
        int storageClass = client.status(directory).storageClass();
        return new ApplicationStore(client, settings, directory, life, storageClass);
    }

    /** Tells people whose it is, and nobody else has it. */
    private static String name(String application, RandomGenerator random) {
        String plain = application.replaceAll("[^A-Za-z0-9._-]+", "-");
        return plain.substring(0, Math.min(plain.length(), NAME_LENGTH))
                + "-"
                + HexFormat.of().toHexDigits(random.nextLong());
    }

    /** A lease on this store, or on the one that somebody else registered meanwhile. */
    private synchronized StoreLease register(ApplicationStore store) {
        @Nullable Shared existing = byDirectory.get(store.directory());
        if (existing != null) {
            return lease(existing);
        }
        Shared shared = new Shared(store);
        byDirectory.put(store.directory(), shared);
        store.start();
        return lease(shared);
    }

    /**
     * The store of an application that the driver has begun; connects if this JVM does not use it
     * yet.
     */
    public StoreLease join(SparkConf conf) throws CrailException {
        Optional<StoreLease> present = present(conf);
        return present.isPresent()
                ? present.get()
                : connect(CrailSettings.of(conf), CrailSettings.applicationDirectory(conf));
    }

    /** The store of an application, if this JVM uses it. */
    public synchronized Optional<StoreLease> present(SparkConf conf) throws CrailException {
        return Optional.ofNullable(byDirectory.get(CrailSettings.applicationDirectory(conf)))
                .map(this::lease);
    }

    private StoreLease connect(CrailSettings settings, String directory) throws CrailException {
        CrailClient client = CrailClient.connect(settings.client());
        boolean joined = false;
        try {
            DirectoryLife life = life(client, settings, directory, false);
            StoreLease lease = register(open(client, settings, directory, life));
            joined = lease.store().client() == client;
            return lease;
        } finally {
            if (!joined) {
                client.close();
            }
        }
    }

    private StoreLease lease(Shared shared) {
        shared.users++;
        return new StoreLease(shared.store, () -> release(shared));
    }

    private void release(Shared shared) {
        synchronized (this) {
            shared.users--;
            if (shared.users > 0) {
                return;
            }
            byDirectory.remove(shared.store.directory());
        }
        shared.store.disconnect();
    }
}
