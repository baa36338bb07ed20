// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.storage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.StorageType;

/**
 * The policies of one file system: {@code CLASS_7} for storage class 7, and other names that the
 * configuration gives to classes. Immutable.
 */
public final class StoragePolicies {
    /** Names and numbers, {@code HOT=0,COLD=1}; the first name of a class is what it is called. */
    public static final String KEY = "fs.crail.storage.policies";

    private static final String DEFAULT = "LAZY_PERSIST=0,ALL_SSD=1";
    private static final String PREFIX = "CLASS_";
    private static final int MAX_CLASS = 255;

    private final Map<String, Integer> classes;

    private StoragePolicies(Map<String, Integer> classes) {
        this.classes = classes;
    }

    /**
     * Reads the configuration.
     *
     * @throws HadoopIllegalArgumentException if it is not of the form, naming the part
     */
    public static StoragePolicies of(Configuration configuration) {
        Map<String, Integer> classes = new LinkedHashMap<>();
        for (String part : configuration.getTrimmedStrings(KEY, DEFAULT.split(",", -1))) {
            int equals = part.indexOf('=');
            int number = equals < 1 ? -1 : number(part.substring(equals + 1).trim());
            if (number < 0) {
                throw new HadoopIllegalArgumentException(
                        KEY + ": '" + part + "' is not of the form NAME=0..255");
            }
            classes.put(part.substring(0, equals).trim().toUpperCase(Locale.ROOT), number);
        }
        return new StoragePolicies(classes);
    }

    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            return number >= 0 && number <= MAX_CLASS ? number : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /**
     * The class of a policy.
     *
     * @throws HadoopIllegalArgumentException if there is none of this name
     */
    public int classOf(String policy) {
        String name = policy.toUpperCase(Locale.ROOT);
        int known =
                classes.getOrDefault(
                        name,
                        name.startsWith(PREFIX) ? number(name.substring(PREFIX.length())) : -1);
        if (known < 0) {
            throw new HadoopIllegalArgumentException(
                    "there is no storage policy "
                            + policy
                            + "; known are "
                            + PREFIX
                            + "0.."
                            + MAX_CLASS
                            + " and "
                            + classes.keySet());
        }
        return known;
    }

    /** The policy of a class. */
    public BlockStoragePolicySpi policyOf(int storageClass) {
        for (Map.Entry<String, Integer> each : classes.entrySet()) {
            if (each.getValue() == storageClass) {
                return new Policy(each.getKey(), storageClass);
            }
        }
        return new Policy(PREFIX + storageClass, storageClass);
    }

    /** All that have a name of their own. */
    public List<BlockStoragePolicySpi> all() {
        List<BlockStoragePolicySpi> all = new ArrayList<>();
        classes.forEach((name, number) -> all.add(new Policy(name, number)));
        return all;
    }

    /** The class is filled first; when it is full in the whole cluster, the next one is. */
    private record Policy(String name, int storageClass) implements BlockStoragePolicySpi {
        private static final StorageType[] LATER = {StorageType.SSD, StorageType.DISK};

        @Override
        public String getName() {
            return name;
        }

        @Override
        public StorageType[] getStorageTypes() {
            return new StorageType[] {storageClass == 0 ? StorageType.RAM_DISK : StorageType.SSD};
        }

        @Override
        public StorageType[] getCreationFallbacks() {
            return storageClass == 0 ? LATER.clone() : new StorageType[] {StorageType.DISK};
        }

        @Override
        public StorageType[] getReplicationFallbacks() {
            return new StorageType[0]; // nothing is replicated
        }

        @Override
        public boolean isCopyOnCreateFile() {
            return false;
        }
    }
}
