// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every key there is. The only registry: what is not here is not a key. */
public final class CrailKeys {
    private static final Map<String, ConfigKey<?>> BY_NAME = byName();

    private CrailKeys() {}

    private static Map<String, ConfigKey<?>> byName() {
        List<ConfigKey<?>> keys = new ArrayList<>(ClientKeys.ALL);
        keys.addAll(NamenodeKeys.ALL);
        keys.addAll(StorageKeys.ALL);
        keys.addAll(NvmfKeys.ALL);
        keys.addAll(SecurityKeys.ALL);
        Map<String, ConfigKey<?>> byName = new LinkedHashMap<>();
        for (ConfigKey<?> key : keys) {
            if (byName.put(key.name(), key) != null) {
                throw new IllegalStateException("two keys are called " + key);
            }
        }
        return byName;
    }

    /** All keys: of clients, of the namenode, of storage servers, of all. */
    public static List<ConfigKey<?>> all() {
        return List.copyOf(BY_NAME.values());
    }

    /** The key of that name, or null. */
    public static @Nullable ConfigKey<?> find(String name) {
        return BY_NAME.get(name);
    }

    /** Names of all keys. */
    static Set<String> names() {
        return BY_NAME.keySet();
    }
}
